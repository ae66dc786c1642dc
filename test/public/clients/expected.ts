/** Checks that do not pass, each with the reason; one that begins to pass fails the run until its row is gone. */
export const EXPECTED_FAILURES: Readonly<Record<string, string>> = {
  'gemini: cancel': 'it does not tell its servers of a cancel',
}
