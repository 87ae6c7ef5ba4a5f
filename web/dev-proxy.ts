import type { ProxyOptions } from 'vite'

/** A screen although its path is below /api. */
const CALLBACK_SCREEN = '/api/auth/oauth-callback'

/**
 * The paths that `npm run dev` proxies to the server at `api`: its calls. Screens are served here; `/eval` and `/comparisons`
 * are screens, with calls below `/eval/` and `/comparison/`.
 */
export function devProxy(api: string): Record<string, ProxyOptions> {
  return {
    '/api': {
      target: api,
      bypass: (request) => (request.url?.startsWith(CALLBACK_SCREEN) ? '/index.html' : undefined),
    },
    '/auth/v1': { target: api },
    '/eval/': { target: api },
    '/comparison/': { target: api },
  }
}
