import type { Route } from '@groundswell/contract/route.ts'

const CALL_PREFIXES = ['/api/', '/eval/', '/comparison/', '/auth/v1/']

/** Screens whose paths are under the prefixes of calls. */
const SCREENS = new Set(['/api/auth/oauth-callback'])

/** True for the path of a call, so that an unknown one gets a JSON error instead of a screen. */
export function isCallPath(path: string): boolean {
  if (SCREENS.has(path)) return false
  return path === '/api' || CALL_PREFIXES.some((prefix) => path.startsWith(prefix))
}

/** `/a/{b}` in the router's own notation: `/a/:b`. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** The methods that a path supports, for a request with another one. */
export function methodsByPath(routes: readonly Route[]): (path: string) => string[] {
  const patterns = routes.map((route) => ({
    method: route.method,
    pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return (path) => [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
}
