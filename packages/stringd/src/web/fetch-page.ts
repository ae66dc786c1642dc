import type { Failure } from '@string-os/protocol'
import type { PageOrigin } from './admission.ts'
import type { WebPage } from './page.ts'
import { createRequester, type RequesterOptions } from './request.ts'
import { statusFailure } from './web-failures.ts'

export interface PageRequest {
  /** The page that links or includes this one; null when a caller named the URL. */
  readonly from: PageOrigin | null
  readonly signal?: AbortSignal
}

export type FetchPage = (url: string, request: PageRequest) => Promise<WebPage | Failure>

/** Fetches pages for `/open`: what is no page, but an error of the server, is a failure. */
export function createPageFetcher(options: RequesterOptions): FetchPage {
  const send = createRequester(options)
  return async (url, request) => {
    const answer = await send({ method: 'GET', url, headers: [], body: null, ...request })
    if (!answer.ok) return answer
    const { status, page } = answer
    return status >= 200 && status <= 299 ? page : statusFailure(status, new URL(page.url))
  }
}
