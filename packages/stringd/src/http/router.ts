import type { Route } from './route.ts'

/** What a method and path lead to. */
type Match =
  | { readonly kind: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'method'; readonly allow: string }
  | { readonly kind: 'path' }
  | { readonly kind: 'encoding' }

export type Router = (method: string, path: string) => Match

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>)

export function createRouter(routes: readonly Route[]): Router {
  const exact = new Map<string, Match>()
  for (const route of routes) {
    if (!/[:*]/.test(route.path))
      exact.set(`${route.method} ${route.path}`, { kind: 'route', route, params: NO_PARAMS })
  }
  return (method, path) => exact.get(`${method} ${path}`) ?? search(routes, method, path)
}

function search(routes: readonly Route[], method: string, path: string): Match {
  const segments = decodeSegments(path)
  if (segments === null) return { kind: 'encoding' }
  const fitting = routes.filter((route) => fits(route.path.split('/'), segments))
  const route = fitting.find((candidate) => candidate.method === method)
  if (route !== undefined) return { kind: 'route', route, params: paramsOf(route.path.split('/'), segments) }
  if (fitting.length === 0) return { kind: 'path' }
  return { kind: 'method', allow: [...new Set(fitting.map((candidate) => candidate.method)), 'OPTIONS'].join(', ') }
}

function decodeSegments(path: string): string[] | null {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    // A percent sign that encodes nothing.
    return null
  }
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const open = pattern.at(-1) === '*'
  const fixed = open ? pattern.slice(0, -1) : pattern
  return (
    (open ? segments.length >= fixed.length : segments.length === fixed.length) &&
    fixed.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  )
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const params = Object.create(null) as Record<string, string>
  for (const [index, part] of pattern.entries()) if (part.startsWith(':')) params[part.slice(1)] = segments[index] ?? ''
  return params
}
