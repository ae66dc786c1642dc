type Phase = 'indent' | 'number' | 'marker' | 'gap' | 'run' | 'info' | 'other'

/**
 * Follows plain text line by line and knows whether it stands inside a fenced code block.
 *
 *     ␠␠␠```info⏎      indent → run → info → (line end: the fence opens or closes)
 *     1.␠```info⏎      indent → number → marker → gap → run → …, where a list item begins with a fence
 */
export class FenceTracker {
  #phase: Phase = 'indent'
  #spaces = 0
  #mark = ''
  #runLength = 0
  #open: { mark: string; length: number } | null = null

  get inFence(): boolean {
    return this.#open !== null
  }

  /** Spaces since the line began, or null once anything else stood on it. */
  get indent(): number | null {
    return this.#phase === 'indent' ? this.#spaces : null
  }

  /** The rest of this line follows something that was no text, such as a block. */
  leaveLineHead(): void {
    this.#phase = 'other'
  }

  advance(text: string): void {
    let index = 0
    while (index < text.length) {
      if (this.#phase === 'other') {
        const end = text.indexOf('\n', index)
        if (end === -1) return
        index = end
      }
      this.#step(text.charAt(index))
      index += 1
    }
  }

  #step(character: string): void {
    if (character === '\n') this.#endLine()
    else if (this.#phase === 'indent') this.#atIndent(character)
    else if (this.#phase === 'run') this.#atRun(character)
    else if (this.#phase === 'info') this.#atInfo(character)
    else if (this.#phase !== 'other') this.#atMarker(character)
  }

  #atIndent(character: string): void {
    if (character === ' ' && this.#spaces < 3) this.#spaces += 1
    else if (isFenceMark(character)) this.#beginRun(character)
    // Most lines begin with a letter, which is no list marker.
    else if (this.#open !== null || character > '9') this.#phase = 'other'
    else this.#atMarker(character)
  }

  /** Behind a wider list marker, what stands in the item is indented too far to be a tag. */
  #atMarker(character: string): void {
    if (this.#phase === 'gap' && isFenceMark(character)) return this.#beginRun(character)
    this.#phase = this.#spaces < 3 ? nextInMarker(this.#phase, character) : 'other'
    this.#spaces += 1
  }

  #beginRun(mark: string): void {
    this.#phase = 'run'
    this.#mark = mark
    this.#runLength = 1
  }

  #atRun(character: string): void {
    if (character === this.#mark) this.#runLength += 1
    else if (this.#runLength < 3) this.#phase = 'other'
    else {
      this.#phase = 'info'
      this.#atInfo(character)
    }
  }

  #atInfo(character: string): void {
    const blank = character === ' ' || character === '\t' || character === '\r'
    // A closing fence has nothing behind it; an opening one made of backticks has no backtick behind it.
    if (this.#open !== null ? !blank : this.#mark === '`' && character === '`') this.#phase = 'other'
  }

  #endLine(): void {
    const isFence = this.#phase === 'info' || (this.#phase === 'run' && this.#runLength >= 3)
    if (isFence && this.#open === null) this.#open = { mark: this.#mark, length: this.#runLength }
    else if (isFence && this.#open?.mark === this.#mark && this.#runLength >= this.#open.length) this.#open = null
    this.#phase = 'indent'
    this.#spaces = 0
  }
}

function isFenceMark(character: string): boolean {
  return character === '`' || character === '~'
}

function nextInMarker(phase: Phase, character: string): Phase {
  if (phase === 'indent' && '-*+'.includes(character)) return 'marker'
  if (phase === 'indent' && character >= '0' && character <= '9') return 'number'
  if (phase === 'number' && '.)'.includes(character)) return 'marker'
  return (phase === 'marker' || phase === 'gap') && character === ' ' ? 'gap' : 'other'
}
