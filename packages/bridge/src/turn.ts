/** Something that came with a message. */
export interface Attachment {
  readonly type: 'image' | 'file' | 'audio' | 'video'
  readonly url: string
  readonly name: string | null
}

export interface TurnRequest {
  readonly message: string
  /** The one that the previous turn of this session declared. */
  readonly sessionId: string | null
  readonly sessionName: string
  /** Empty: the user that the bridge runs as. */
  readonly fromUser: string
  readonly attachments: readonly Attachment[]
}

/** How a turn went, with the names that are used on the wire. */
export interface TurnResult {
  readonly ok: boolean
  readonly reply: string
  readonly error: string | null
  readonly session_id: string | null
  readonly exit_code: number
  readonly timed_out: boolean
  readonly truncated: boolean
  readonly duration_ms: number
}

export interface PermissionRequest {
  readonly request_id: string
  readonly tool_name: string
  readonly input: unknown
}
