import type { Data, Json } from '@string-os/protocol'

/** `/exec`, and everything that is typed into a bash topic. */
export type ShellData = {
  /** The status of the command; null while it runs. */
  readonly exit: number | null
  readonly cwd: string
  readonly running: boolean
  /** What was printed, standard error among the rest, without the lines that the content has beside it; with `seen`, line ends at its end included. */
  readonly output: string
  /** The middle of `output` is left out; with `seen`, something before it. */
  readonly truncated?: true
  /** The same: so many bytes before it are not kept any more. */
  readonly missed?: number
  /** Then the path of a file that holds the whole, while the topic is open; null where that could not be kept. With `seen`, of all that is long. */
  readonly whole?: string | null
  /** The text was no command: it went to this one, which ran already, as its input. */
  readonly input_to?: string
  /** A program has the whole screen: so many lines at the end of the answer, before the note, show it, with its cursor there. */
  readonly screen?: { readonly lines: number; readonly row: number; readonly column: number }
  /** Of `//interrupt`: what was typed before it and no program has read; it is thrown away. */
  readonly unread?: string
  /** Where `seen` was given: up to where it has been read with this answer, for the next one. */
  readonly place?: string
  /** The same, of what runs: the last line of its output, which has not ended, and the place before it. */
  readonly line?: { readonly text: string; readonly place: string }
  /** Where `seen` was given: there is more behind that place already. */
  readonly more?: true
  /** Where styles were asked for, and something has any: what was printed, with its colours, each closed at the end of its line. */
  readonly styled?: string
  /** Where `drawn` was asked for: the first line of a command that began where `seen` is, whoever typed it, and that was not told there. */
  readonly began?: string
  /** Where `drawn` was asked for: what runs reads keys, and not lines. */
  readonly raw?: true
  /** The same, where it can be told: it waits for single keys, or edits whole lines by itself. */
  readonly reads?: 'keys' | 'lines'
  /** The same: it has turned off that its person sees what they type. */
  readonly secret?: true
  /** The same: it has hidden its cursor. */
  readonly hidden?: true
  /**
   * The same, of what it has printed: the rows of its terminal from `seen` on, or from the first that was drawn over. `shown` of them
   * the caller has had, as they were then; the last `open` may still change.
   */
  readonly drawn?: {
    readonly lines: readonly string[]
    /** Where its cursor is in them. */
    readonly row: number
    readonly column: number
    readonly shown: number
    readonly open: number
    /** It has gone up, and drawn over what it had printed. */
    readonly over: boolean
    /** Before the rows that may change, before that of the cursor, and behind all. */
    readonly place: string
    readonly line: string
    readonly end: string
  }
}

/** `//info` of a bash topic. */
export type ShellInfoData = {
  /** Which shell it is: another one has another id. Null while there is none. */
  readonly shell: string | null
  readonly cwd: string | null
  readonly running: boolean
  readonly command: string | null
  readonly seconds: number | null
  /** Up to where whoever has read all that it printed has read: for `seen`. */
  readonly place: string | null
  /** What has ended in it while nobody waited, and no answer has told of it since. */
  readonly ended: { readonly command: string; readonly exit: number } | null
  /** What ended last, whoever was told; null while something runs, and before anything has. */
  readonly last: { readonly command: string; readonly exit: number } | null
}

/** `/write`, `/append`, `/replace`, `/edit` with a body, `/undo`. */
export type ChangeData = {
  readonly path: string
  /** How many lines. */
  readonly added: number
  readonly removed: number
}

/** `/ls`. */
export type ListingData = {
  readonly path: string
  readonly total: number
  readonly entries: readonly {
    readonly name: string
    readonly kind: 'folder' | 'file' | 'link' | 'other'
    /** Null of what is no file. */
    readonly bytes: number | null
  }[]
}

/** `/find`; with `--files` each match has `lines`, how many, else `line` and its `text`. */
export type FoundData = {
  readonly path: string
  /** What was looked for. */
  readonly pattern: { readonly text: string; readonly regex: boolean; readonly ignore_case: boolean }
  /** How many files; null where that is not known. */
  readonly searched: number | null
  readonly complete: boolean
  readonly matches: readonly {
    readonly path: string
    readonly line?: number
    readonly text?: string
    readonly lines?: number
  }[]
}

/** `/open FILE --outline`; without the flag there is none. */
export type OutlineData = {
  readonly path: string
  /** How many parts are not listed. */
  readonly left: number
  readonly parts: readonly {
    readonly address: string
    readonly title: string
    readonly depth: number
    readonly from: number
    readonly to: number
  }[]
}

/** `/topics`. */
export type TopicsData = {
  readonly topics: readonly {
    readonly topic: string
    readonly topic_type: string
    readonly executing: boolean
    readonly queue_length: number
    readonly uri: string | null
    readonly title: string | null
  }[]
}

type EventFields = {
  readonly id: string
  readonly received_at: string
  readonly source: string
  readonly status: string
}

/** `/events` and `/events.wait`. */
export type EventsData = {
  readonly pending: number
  readonly acked: number
  readonly events: readonly (EventFields & { readonly preview: string })[]
}

/** `/events.read ID`. */
export type EventData = EventFields & { readonly text: string }

/** `/act.NAME` and `/tool:NAME`: of an HTTP action `status` and what was answered, of a command `exit_code` and `output`. */
export type ActionData = {
  readonly status?: number
  /** Without parameters, in lower case. */
  readonly content_type?: string
  /** What was answered, where that is JSON and whole. */
  readonly response?: Json
  /** Else its text; null of what is no text. */
  readonly body?: string | null
  /** Null where the command did not come to its end. */
  readonly exit_code?: number | null
  /** What it printed, errors too, in that order; where a response reads it, its standard output alone. */
  readonly output?: string
  /** Of a command whose answer a response reads: what it wrote on standard error, as much as is shown. */
  readonly stderr?: string
  /** The middle of `body` or `output` is left out. */
  readonly truncated?: true
  /** Then the path of a file that holds the whole; null where that is not kept, because it may hold secrets. */
  readonly whole?: string | null
  /** It was called without any argument, and not run: these it needs. */
  readonly missing_fields?: readonly string[]
}

/** What commands say as fields, by their names. Of others it is `Data`, any JSON object. */
export interface CommandData {
  readonly '/exec': ShellData
  readonly '//wait': ShellData
  readonly '//interrupt': ShellData
  readonly '//key': ShellData
  readonly '//send': ShellData
  readonly '//info': ShellInfoData
  readonly '/write': ChangeData
  readonly '/append': ChangeData
  readonly '/replace': ChangeData
  readonly '/undo': ChangeData
  readonly '/ls': ListingData
  readonly '/find': FoundData
  readonly '/open': OutlineData
  readonly '/topics': TopicsData
  readonly '/events': EventsData
  readonly '/events.wait': EventsData
  readonly '/events.read': EventData
  readonly '/events.ack': { readonly acked: readonly string[] }
  readonly '/events.clear': { readonly cleared: number }
}

/** `/ls` of `/ls ./src`. */
type NameOf<Cmd extends string> = Cmd extends `${infer Before} ${string}`
  ? NameOf<Before>
  : Cmd extends `${infer Line}\n${string}`
    ? Line
    : Cmd

type DataNamed<Name extends string> = Name extends keyof CommandData
  ? CommandData[Name]
  : Name extends `/act.${string}` | `/tool:${string}`
    ? ActionData
    : Data

/** What a command in a topic says as fields, as far as the two are known when a program is compiled. */
export type DataOf<Topic extends string, Cmd extends string> = string extends Cmd
  ? Data
  : Topic extends `bash:${string}`
    ? Cmd extends `//${string}`
      ? DataNamed<NameOf<Cmd>>
      : ShellData
    : DataNamed<NameOf<Cmd>>
