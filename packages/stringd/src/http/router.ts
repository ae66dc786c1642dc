import type { Route } from './route.ts'

/** What a method and path lead to. */
type Match =
  | { readonly kind: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'method'; readonly allow: string }
  | { readonly kind: 'path' }
  | { readonly kind: 'encoding' }

export type Router = (method: string, path: string) => Match

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>)

interface Pattern {
  readonly route: Route
  readonly parts: readonly string[]
  /** Takes all segments that are left. */
  readonly isOpen: boolean
  /** Of two that fit a path, the one whose rank is less says more of it. */
  readonly rank: string
}

export function createRouter(routes: readonly Route[]): Router {
  const patterns = routes.map(patternOf)
  const exact = new Map<string, Match>()
  for (const route of routes) {
    if (!/[:*]/.test(route.path))
      exact.set(`${route.method} ${route.path}`, { kind: 'route', route, params: NO_PARAMS })
  }
  return (method, path) => exact.get(`${method} ${path}`) ?? search(patterns, method, path)
}

function patternOf(route: Route): Pattern {
  const parts = route.path.split('/')
  const isOpen = parts.at(-1) === '*'
  const rank = parts.map((part) => (part === '*' ? '2' : part.startsWith(':') ? '1' : '0')).join('')
  return { route, parts: isOpen ? parts.slice(0, -1) : parts, isOpen, rank }
}

function search(patterns: readonly Pattern[], method: string, path: string): Match {
  const segments = decodeSegments(path)
  if (segments === null) return { kind: 'encoding' }
  const fitting = closest(patterns.filter((pattern) => fits(pattern, segments)))
  const found = fitting.find(({ route }) => route.method === method)
  if (found !== undefined) return { kind: 'route', route: found.route, params: paramsOf(found, segments) }
  if (fitting.length === 0) return { kind: 'path' }
  return { kind: 'method', allow: [...new Set(fitting.map(({ route }) => route.method)), 'OPTIONS'].join(', ') }
}

/** A path that has a route of its own has its methods alone, whatever else it could be a name in. */
function closest(fitting: readonly Pattern[]): readonly Pattern[] {
  const [first] = fitting.map(({ rank }) => rank).toSorted()
  return fitting.filter(({ rank }) => rank === first)
}

function decodeSegments(path: string): string[] | null {
  const segments = path.split('/')
  if (!path.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    // A percent sign that encodes nothing.
    return null
  }
}

function fits({ parts, isOpen }: Pattern, segments: readonly string[]): boolean {
  return (
    (isOpen ? segments.length >= parts.length : segments.length === parts.length) &&
    parts.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  )
}

function paramsOf({ parts }: Pattern, segments: readonly string[]): Record<string, string> {
  const params = Object.create(null) as Record<string, string>
  for (const [index, part] of parts.entries()) if (part.startsWith(':')) params[part.slice(1)] = segments[index] ?? ''
  return params
}
