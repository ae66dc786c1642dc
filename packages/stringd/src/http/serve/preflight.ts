import { PAGE_HEADERS } from '@string-os/protocol'
import type { RequestHead } from '../message.ts'
import type { Route } from '../route.ts'
import type { Listed } from './guard.ts'
import { COMMON_HEADERS } from './respond.ts'

/** The headers with which `OPTIONS` is answered. */
export type Preflight = (request: RequestHead) => Readonly<Record<string, string>>

/** A page that is let in may send what the routes take and the client sends; every other one is granted nothing by asking. */
export function createPreflight(routes: readonly Route[], isListed: Listed): Preflight {
  const granted = {
    ...COMMON_HEADERS,
    'Access-Control-Allow-Methods': [...new Set(routes.map(({ method }) => method))].join(', '),
    'Access-Control-Allow-Headers': PAGE_HEADERS.join(', '),
  }
  return ({ headers: { origin = '' } }) => (isListed(origin) ? granted : COMMON_HEADERS)
}
