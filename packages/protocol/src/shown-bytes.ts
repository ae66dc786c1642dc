const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `1.5 GiB` */
export function shownBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** step
  return `${amount.toFixed(amount < 10 && step > 0 ? 1 : 0)} ${UNITS[step]}`
}
