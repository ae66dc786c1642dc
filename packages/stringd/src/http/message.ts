import type { IncomingMessage } from 'node:http'

/** What is known of a request before its body. */
export interface RequestHead extends Readonly<Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>> {
  readonly rawHeaders: readonly string[]
}

/** By their names, or names and values by turns. */
export type ReplyHeaders = Readonly<Record<string, string | number>> | string[]

/** What an answer of text needs. */
export interface TextReply {
  readonly headersSent: boolean
  writeHead(status: number, headers: ReplyHeaders): unknown
  write(text: string): unknown
  end(text?: string): unknown
  destroy(): unknown
}
