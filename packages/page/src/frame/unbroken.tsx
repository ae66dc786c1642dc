import { Component, type ComponentChildren } from 'preact'
import { shownText } from '../text/shown.ts'

interface State {
  readonly broken: string | null
}

/** A fault in one place leaves the others usable. */
export class Unbroken extends Component<{ children: ComponentChildren }, State> {
  override state: State = { broken: null }

  static override getDerivedStateFromError(error: unknown): State {
    return { broken: error instanceof Error ? error.message : String(error) }
  }

  override render(): ComponentChildren {
    const { broken } = this.state
    if (broken === null) return this.props.children
    return (
      <section class="place" role="alert">
        <h1>This place broke</h1>
        <p class="failed">
          <bdi>{shownText(broken)}</bdi>
        </p>
        <p class="hint">Reload the page. The others still work, and so does the command line.</p>
      </section>
    )
  }
}
