// A file of its own in the build: what is for a person at a terminal costs nothing where there is none.

export { askedText, pastText } from './chat/past-turns.ts'
export { openHistory } from './terminal/editor/history.ts'
export { pick } from './terminal/editor/pick.ts'
export { PromptReader } from './terminal/editor/prompt-reader.ts'
export { Stage } from './terminal/editor/stage.ts'
export { renderMarkdown } from './terminal/markdown/render.ts'
export { MarkdownStream } from './terminal/markdown/stream.ts'
export { runTopic } from './topic/interactive.ts'
export { shellCompleter } from './topic/shell-completer.ts'
export { shownResult } from './topic/show-result.ts'
export { standingLine, streamShell } from './topic/stream-shell.ts'
