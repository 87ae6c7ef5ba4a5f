import type { Plugin } from 'vite'

/** The source of a call in the contract: from `route({` to the `})` that ends it. */
const CALL = /= route\(\{\n[\s\S]*?^\}\)$/gm

/** A line of a call that the web app does not need, with its deeper lines. */
const NOT_NEEDED =
  /^ {2}(?:summary|errors|params|query|body|reply|access|beforeSecondFactor|ofAccount):.*\n(?: {3,}.*\n)*(?: {2}[)\]}].*\n)?/gm

const CONTRACT = /[\\/]contract[\\/](?:[a-z-]+[\\/])?[^\\/]+\.ts$/

/** The module that compares replies with the contract: its imports of the contract stay complete. */
const READS_SCHEMAS = /[\\/]client[\\/]reply-schemas\.ts$/
const COMPLETE = '?complete'

const ZOD = "import * as z from 'zod/mini'"

/**
 * Removes from the contract what the web app does not need to make a call: summaries, lists of errors, and schemas, which are
 * only types here. In a build zod is removed with them (`vite.config.ts` marks its functions as pure): the budget of the first
 * screen counts every line. The module that compares replies is loaded later and gets a complete copy of the contract.
 */
export function leaveOutServerOnly(): Plugin {
  let build = false
  return {
    name: 'leave-out-server-only',
    enforce: 'pre',
    configResolved(config) {
      build = config.command === 'build'
    },
    async resolveId(source, importer, options) {
      if (!importer || !(READS_SCHEMAS.test(importer) || importer.endsWith(COMPLETE))) return null
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      return found && CONTRACT.test(found.id) ? { ...found, id: found.id + COMPLETE } : found
    },
    transform: {
      filter: { id: CONTRACT },
      handler(code) {
        const calls = code.replaceAll(CALL, (call) => call.replaceAll(NOT_NEEDED, ''))
        return build ? calls.replace(ZOD, 'const z = undefined') : calls
      },
    },
  }
}
