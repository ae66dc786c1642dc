import { ChanFlowDecoder } from '../../packages/protocol/dist/index.js'

/** As models send text: a few words at a time. */
const PIECE_BYTES = 64

const TURN = `Some words of an answer, with <b>tags</b> that are none and a < here and there.
<𝒞=string:notes>/write ~/a.md
# Title

A line of text, <\\𝒞=x> and more.
</𝒞>
\`\`\`
<𝒞=string:a>/x</𝒞>
\`\`\`
`

/** A model's answer in pieces that are cut anywhere, also inside a character. */
export function pieces(bytes) {
  const whole = Buffer.from(TURN.repeat(Math.ceil(bytes / Buffer.byteLength(TURN)))).subarray(0, bytes)
  return Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, (_, index) =>
    whole.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  )
}

/** Nanoseconds per byte of the decoder. `before` has been decoded by then, and is not counted. */
export function decodeCost(chunks, before = []) {
  const decoder = new ChanFlowDecoder()
  for (const chunk of before) decoder.push(chunk)
  return perByte(chunks, (chunk) => decoder.push(chunk).length)
}

/** The same for a program that only splits the text into lines. */
export function lineCost(chunks) {
  const decoder = new TextDecoder('utf-8')
  let held = ''
  return perByte(chunks, (chunk) => {
    const lines = (held + decoder.decode(chunk, { stream: true })).split('\n')
    held = lines.pop()
    return lines.length
  })
}

function perByte(chunks, take) {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const started = performance.now()
  let taken = 0
  for (const chunk of chunks) taken += take(chunk)
  if (taken < 0) throw new Error('Whatever was taken is counted, so that it is not left out')
  return ((performance.now() - started) * 1e6) / bytes
}
