const NO_SPACE: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL'])

/** Whether something failed because the disk takes no more. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_SPACE.has(error.code)
}
