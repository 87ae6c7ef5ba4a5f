import type { Plugin } from 'vite'

const MODULE = /[\\/]react-router[\\/]dist[\\/]production[\\/]lib[\\/]dom[\\/]ssr[\\/]components\.js$/
const PREFETCH = /^function PrefetchPageLinks\([\s\S]*?^}$/m

/**
 * Replaces the part of react-router's links that prefetches pages. It works only in the router's framework mode, which this app does not use,
 * but takes about 3 KiB of the first screen with what it imports. The build fails where it is not found, as it may be after an update.
 */
export function leaveOutPrefetch(): Plugin {
  return {
    name: 'leave-out-prefetch',
    apply: 'build',
    transform: {
      filter: { id: MODULE },
      handler(code) {
        if (!PREFETCH.test(code))
          throw new Error('react-router has no PrefetchPageLinks to leave out: see web/leave-out-prefetch.ts')
        return code.replace(PREFETCH, 'function PrefetchPageLinks() {\n\treturn null\n}')
      },
    },
  }
}
