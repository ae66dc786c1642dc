import { isFields } from '@string-os/protocol'

/** For some clients this is the only text about the server that their model gets to see. */
const ABOUT =
  'String is one text surface for files, web pages, shells, apps and events: slash commands, sent to named topics with the tool string. /help lists them, /info says where you are.'
const ANNOUNCED =
  'Events for you (webhooks, other agents) are announced at the end of an answer; /events lists them, /events.wait waits for one, /events.ack ID when it is dealt with.'
const PUSHED =
  'Events for you (webhooks, other agents) may arrive as channel messages and are announced at the end of an answer; they stay pending until you send /events.ack ID.'

/** Clients that show the notifications of a channel to their model. */
const HEARS_CHANNELS: ReadonlySet<string> = new Set(['claude-code'])

/** What holds for the client that asked, and no more; `pushes`: its server sends events by itself. */
export function instructionsFor(client: string | null, pushes: boolean): string {
  const isPushed = pushes && client !== null && HEARS_CHANNELS.has(client)
  return `${ABOUT} ${isPushed ? PUSHED : ANNOUNCED}`
}

/** The name that a client gives itself in the handshake; null when it gives none. */
export function clientOf(params: unknown): string | null {
  const info = isFields(params) ? params.clientInfo : null
  return isFields(info) && typeof info.name === 'string' ? info.name : null
}
