import { readFileSync } from 'node:fs'

/** Conformance cases are data that any implementation can read; this is how ours does. */
export function loadCases<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../spec/cases/${name}.json`, import.meta.url), 'utf8')) as T
}
