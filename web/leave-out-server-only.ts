import type { Plugin } from 'vite'

/** A call of the contract as it is written: from `route({` to the `})` that ends it. */
const CALL = /= route\(\{\n[\s\S]*?^\}\)$/gm

/** A line of a call that only the server reads, with the deeper lines that belong to it. */
const SERVER_ONLY = /^ {2}(?:summary|errors|params|query|body):.*\n(?: {3,}.*\n)*(?: {2}[)\]}].*\n)?/gm

/** What makes a schema: a call without effect, which the bundler cannot know by itself. */
const SCHEMA = /\bz\.(?=\w+\()/g

/**
 * Leaves out of the contract what only the server reads of a call: what it is for in words, which errors it names, and the
 * schemas of what is sent, which here are types only. A schema that nothing is read with goes with them, and what zod has
 * for it. The budget of the first screen counts every line.
 */
export function leaveOutServerOnly(): Plugin {
  return {
    name: 'leave-out-server-only',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]contract[\\/][^\\/]+\.ts$/ },
      handler: (code) =>
        code.replaceAll(CALL, (call) => call.replaceAll(SERVER_ONLY, '')).replaceAll(SCHEMA, '/* @__PURE__ */ z.'),
    },
  }
}
