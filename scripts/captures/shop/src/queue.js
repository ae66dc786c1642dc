export const retryLimit = 3
export const retryDelayMs = 250

export async function send(mail, deliver) {
  for (let n = 1; ; n += 1) {
    const sent = await deliver(mail)
    if (sent || n >= retryLimit) return sent
    await new Promise((done) => setTimeout(done, retryDelayMs * n))
  }
}
