import type { VNode } from 'preact'

interface FiltersProps<W extends string> {
  /** What is chosen, for those who hear the page. */
  readonly name: string
  readonly words: readonly W[]
  readonly chosen: W
  readonly onChoose: (word: W) => void
}

/** A list is narrowed to one of a few words. */
export function Filters<W extends string>({ name, words, chosen, onChoose }: FiltersProps<W>): VNode {
  return (
    <fieldset class="filters" aria-label={name}>
      {words.map((each) => (
        <button type="button" key={each} aria-pressed={chosen === each} onClick={() => onChoose(each)}>
          {each}
        </button>
      ))}
    </fieldset>
  )
}
