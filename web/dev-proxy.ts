import type { ProxyOptions } from 'vite'

/** Below /api, and a screen all the same. */
const CALLBACK_SCREEN = '/api/auth/oauth-callback'

/**
 * Which addresses `npm run dev` passes on to the server at `api`: its calls. Screens stay here; `/eval` and `/comparisons` are
 * screens, with calls below `/eval/` and `/comparison/`.
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
