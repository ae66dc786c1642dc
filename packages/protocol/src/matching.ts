/** What stands before a name and is never forgiven: the folders or the document that hold it, and the mark of its kind. */
const STEM = /^(?:.*[/#])?[@{$-]*/s

type Fits = (name: string, typed: string) => boolean

/** The next one is tried where none before has found anything. */
const WAYS: readonly Fits[] = [
  (name, typed) => name.startsWith(typed),
  (name, typed) => name.toLowerCase().startsWith(typed.toLowerCase()),
  // One letter stands in nearly all of them.
  (name, typed) => typed.length > 1 && name.toLowerCase().includes(typed.toLowerCase()),
]

/** Those that go on as it was typed; where none does, in upper or lower case; where none does, those that hold it anywhere. */
export function matching<T>(all: readonly T[], typed: string, textOf: (each: T) => string): readonly T[] {
  const [stem = ''] = STEM.exec(typed) ?? []
  const there = all.filter((each) => textOf(each).startsWith(stem))
  const begun = typed.slice(stem.length)
  for (const fits of WAYS) {
    const found = there.filter((each) => fits(textOf(each).slice(stem.length), begun))
    if (found.length > 0) return found
  }
  return []
}
