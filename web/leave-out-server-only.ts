import type { Plugin } from 'vite'

/**
 * Leaves out of the contract what only the server reads of a call: what it is for in words, and which errors it names. The
 * budget of the first screen counts every line.
 */
export function leaveOutServerOnly(): Plugin {
  return {
    name: 'leave-out-server-only',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]contract[\\/][^\\/]+\.ts$/ },
      handler: (code) => code.replaceAll(/^ {2}(?:summary: (?:'[^'\n]*'|"[^"\n]*"),|errors: \[[^\]]*\],)$/gm, ''),
    },
  }
}
