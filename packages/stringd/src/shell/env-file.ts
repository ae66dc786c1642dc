import { readFileSync } from 'node:fs'

/** `KEY=value` lines that a person put into the data folder. */
export function readEnvFile(path: string): Record<string, string> {
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    const pairs = lines
      .map((line) => /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*?)\r?$/.exec(line))
      .filter((match) => match !== null)
    return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
