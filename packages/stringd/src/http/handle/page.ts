import type { OrdinaryExchange, Route, Services } from '../route.ts'
import { PAGE_FILES, type PagePath } from '../serve/page-files.ts'
import { COMMON_HEADERS, sendError } from '../serve/respond.ts'

/** Nothing but what came from here runs, nothing leaves for elsewhere, and nobody shows it inside of something else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const PAGE_HEADERS = {
  ...COMMON_HEADERS,
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // A daemon that was updated has another page; asking costs nothing here.
  'Cache-Control': 'no-cache',
} as const

/** The routes of the page's own files. A link from anywhere may lead to them: they hold no data. */
export const PAGE_ROUTES: readonly Route[] = Object.keys(PAGE_FILES)
  .filter((path): path is PagePath => path in PAGE_FILES)
  .map((path) => ({
    method: 'GET',
    path,
    expects: null,
    isPage: true,
    isOrdinary: true,
    handle: (exchange, services) => servePage(path, exchange, services),
  }))

function servePage(path: PagePath, { request, response }: OrdinaryExchange, { pageFiles }: Services): void {
  const file = pageFiles(path)
  if (file === null)
    return sendError(
      response,
      404,
      'The page is not in this build of String; npm run build makes it. The API is here all the same',
    )
  const { bytes, type, etag } = file
  if (request.headers['if-none-match'] === etag)
    return void response.writeHead(304, { ...PAGE_HEADERS, ETag: etag }).end()
  response.writeHead(200, { ...PAGE_HEADERS, ETag: etag, 'Content-Type': type, 'Content-Length': bytes.length })
  response.end(bytes)
}
