/** Facts that outlive the rows they come from. */
export interface MarkStore {
  get(name: string): Promise<string | null>
  put(name: string, value: string): Promise<void>
}
