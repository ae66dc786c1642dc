import type { Reporter, SerializedError, TestModule, TestSuite } from 'vitest/node'

/** Says at the very end which tests failed: above may stand pages of what they and others printed. */
export class FailedLast implements Reporter {
  #names: readonly string[] = []

  onInit(): void {
    // Closing a run prints too.
    process.once('exit', (code) => this.#print(code))
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    this.#names = [
      ...modules.flatMap(failedIn),
      ...errors.map(({ message }) => `outside of tests: ${firstLine(message)}`),
    ]
  }

  #print(code: number): void {
    const { STRING_SEED: seed } = process.env
    if (code !== 0 && seed !== undefined) console.log(`\nSTRING_SEED=${seed} makes the same random choices again.`)
    if (this.#names.length > 0) console.log(`\nFailed:\n${this.#names.map((name) => `  ${name}`).join('\n')}`)
    else if (code !== 0) console.log('\nFailed: no test, but the run. What it says stands above.')
  }
}

function failedIn(module: TestModule): string[] {
  const file = module.relativeModuleId
  const failed = [...module.children.allTests('failed')].map(({ fullName }) => `${file} > ${fullName}`)
  const hooks = [...module.children.allSuites()]
    .filter(hasErrors)
    .map(({ fullName }) => `${file} > ${fullName} (a hook)`)
  if (hasErrors(module)) return [...failed, ...hooks, `${file} (the file itself)`]
  const isOver = ['passed', 'failed', 'skipped'].includes(module.state())
  return isOver ? [...failed, ...hooks] : [...failed, ...hooks, `${file} (did not come to its end)`]
}

function hasErrors(part: TestModule | TestSuite): boolean {
  return part.errors().length > 0
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
