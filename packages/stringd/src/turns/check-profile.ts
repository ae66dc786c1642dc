/** What registration has to say about a profile: why it cannot be used, or what to know about it. */
export type ProfileCheck =
  | { readonly ok: true; readonly warnings: readonly string[]; readonly problem: string | null }
  | { readonly ok: false; readonly error: string }

/** `home` is where its agent runs, if the profile does not say. */
export type CheckProfile = (path: string, home: string) => Promise<ProfileCheck>

/** Of these variables those that no profile hands on, with the line that would. A profile that cannot be read is told of elsewhere. */
export async function withheldByAll(
  paths: readonly string[],
  names: readonly string[],
): Promise<{ readonly names: readonly string[]; readonly line: string }> {
  const { handOnText, loadProfile, withheldVariables } = await import('@string-os/bridge')
  let left = names
  for (const path of paths) {
    const reading = await loadProfile(path, 'daemon')
    if (reading.ok) left = withheldVariables(reading.profile, left)
  }
  return { names: left, line: handOnText({ env: {} }, left) }
}

/** Reads a profile as a turn would. What may change until then, such as a missing program, is a warning. */
export function createProfileCheck(
  environment: () => Readonly<Record<string, string>>,
  howToSet: (variable: string) => string,
): CheckProfile {
  return async (path, home) => {
    // With all that runs agents, which a daemon without profiles never needs.
    const { explainProfile, findingLine, loadProfile, refusalLines } = await import('@string-os/bridge')
    const reading = await loadProfile(path, 'daemon')
    if (!reading.ok) return { ok: false, error: refusalLines(path, reading) }
    // The home of the agent may not be made yet; it will be there.
    const { problem, warnings } = await explainProfile(reading.profile, {
      cwd: '/',
      environment: environment(),
      howToSet,
      home,
    })
    const found = [...(problem === null ? [] : [problem.message]), ...warnings]
    const lines = reading.warnings.map((each) => findingLine(path, each))
    return {
      ok: true,
      warnings: [...lines, ...found.map((text) => `${path}: ${text}`)],
      problem: problem === null ? null : `${path}: ${problem.message}`,
    }
  }
}
