/** Everything that `j` and `k` go through. */
const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main [data-row]')]

/** Puts the focus on the next row, or the one before; from nowhere on the first. */
export function moveRow(by: 1 | -1): void {
  const all = rows()
  const within = all.findIndex(
    (row) => row === document.activeElement || row.parentElement?.contains(document.activeElement),
  )
  const next = within === -1 ? 0 : Math.min(all.length - 1, Math.max(0, within + by))
  all[next]?.focus()
  all[next]?.scrollIntoView({ block: 'nearest' })
}

/** What j and k moved to, by what it says it is: `data-id` of the row. */
export function focusedRow(): string | null {
  const row = document.activeElement?.closest('[data-id]') ?? document.activeElement?.querySelector('[data-id]')
  return row instanceof HTMLElement ? (row.dataset.id ?? null) : null
}
