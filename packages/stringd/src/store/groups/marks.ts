/** Facts that outlive the rows they come from. */
export interface MarkStore {
  /** All whose names begin so. */
  list(prefix: string, limit: number): Promise<ReadonlyMap<string, string>>
  get(name: string): Promise<string | null>
  put(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
}
