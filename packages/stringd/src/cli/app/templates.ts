/** The files of a new package, by their paths. */
export type Template = Readonly<Record<string, string>>

/** An app that keeps lines in a file of the agent's home. */
export function appTemplate(name: string): Template {
  return {
    'string.md': `---
name: ${name}
title: ${titleOf(name)}
description: Lines that are worth keeping
version: 0.1.0
default: list
---
# ${titleOf(name)}

\`/act.add "buy milk"\` keeps a line, \`/act.list\` shows the last ones.

\`\`\`act.add
CLI printf '%s\\n' {text} >> "$STRING_HOME/${name}.txt" && ./count.sh
  text: string (required) "What to keep"
\`\`\`

\`\`\`act.list
CLI touch "$STRING_HOME/${name}.txt" && tail -n {last} "$STRING_HOME/${name}.txt"
  last, -n: number (min:1, max:100) "How many lines" = "10"
\`\`\`
`,
    'count.sh': `#!/bin/sh
# Commands run in the folder of the package; what is to be kept belongs into $STRING_HOME.
if [ $# -ne 0 ] || [ ! -f "$STRING_HOME/${name}.txt" ]; then
  echo 'usage: ./count.sh (no arguments; an action of the app calls it, after it has kept a line)' >&2
  exit 2
fi
printf 'Kept. Lines: %s\\n' "$(wc -l < "$STRING_HOME/${name}.txt" | tr -d ' ')"
`,
    'README.md': readme(name, 'app', ['/open', '/act.add "buy milk"', '/act.list --last 3']),
  }
}

/** A tool that looks at a file of the caller. */
export function toolTemplate(name: string): Template {
  return {
    'string.md': `---
name: ${name}
title: ${titleOf(name)}
description: How long a text is
version: 0.1.0
type: tool
default: words
---
# ${titleOf(name)}

\`/tool:${name} notes.md\` counts the words of a file, \`/tool:${name}.top notes.md\` shows where it begins.

\`\`\`act.words
CLI cd "$STRING_CWD" && wc -w < {file}
  file: path (required) "A file, from where the caller is"
\`\`\`

\`\`\`act.top
CLI cd "$STRING_CWD" && head -n {lines} -- {file}
  file: path (required) "A file, from where the caller is"
  lines, -n: number (min:1, max:100) "How many lines" = "3"
\`\`\`
`,
    'README.md': readme(name, 'tool', [`/tool:${name} notes.md`, `/tool:${name}.top notes.md --lines 1`]),
  }
}

function readme(name: string, type: string, lines: readonly string[]): string {
  return `# ${titleOf(name)}

The ${type} is [string.md](string.md). Install it with \`/install\` and the path, the archive or the git address of this folder, then${type === 'app' ? `, in its topic \`app:${name}\`` : ''}:

${lines.map((line) => `    ${line}`).join('\n')}
`
}

function titleOf(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim() || name
  return words.charAt(0).toUpperCase() + words.slice(1)
}
