import type { Plugin } from 'vite'

/** The source of a call in the contract: from `route({` to the `})` that ends it. */
const CALL = /= route\(\{\n[\s\S]*?^\}\)$/gm

/** Lines of a call that start with one of these fields, with their deeper lines. */
const linesOf = (fields: readonly string[]) =>
  new RegExp(String.raw`^ {2}(?:${fields.join('|')}):.*\n(?: {3,}.*\n)*(?: {2}[)\]}].*\n)?`, 'gm')

const SERVER_ONLY = [
  'summary',
  'errors',
  'needs',
  'ends',
  'example',
  'access',
  'beforeSecondFactor',
  'ofAccount',
  'audit',
  'params',
  'query',
  'body',
]
/** What a call is not made with. */
const NOT_TO_CALL = linesOf([...SERVER_ONLY, 'reply'])
/** What a reply is not compared with. */
const NOT_TO_COMPARE = linesOf(SERVER_ONLY)

const CONTRACT = /[\\/]contract[\\/](?:[a-z-]+[\\/])?[^\\/]+\.ts(?:\?with-replies)?$/

/** The module that compares replies with the contract: its imports of the contract keep their schemas. */
const READS_SCHEMAS = /[\\/]client[\\/]reply-schemas\.ts$/
const WITH_REPLIES = '?with-replies'

const ZOD = "import * as z from 'zod/mini'"
/** A call of zod. In a file of several modules the bundler renames `z`, and its minifier can no longer tell that it is pure. */
const ZOD_CALL = /(?<![\w.])z\.(?=\w+\()/g

/**
 * Removes from the contract what the web app does not need to make a call: what only the server and its tests read, and schemas, which are
 * only types here. In a build zod is removed with them (`vite.config.ts` marks its functions as pure): the budget of the first
 * screen counts every line. The module that compares replies is loaded later and gets a copy of the contract with the schemas of replies.
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
      if (!importer || !(READS_SCHEMAS.test(importer) || importer.endsWith(WITH_REPLIES))) return null
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      return found && CONTRACT.test(found.id) ? { ...found, id: found.id + WITH_REPLIES } : found
    },
    transform: {
      filter: { id: CONTRACT },
      handler(code, id) {
        const compared = id.endsWith(WITH_REPLIES)
        const calls = code.replaceAll(CALL, (call) => call.replaceAll(compared ? NOT_TO_COMPARE : NOT_TO_CALL, ''))
        return build && !compared
          ? calls.replace(ZOD, 'const z = undefined').replaceAll(ZOD_CALL, '/* @__PURE__ */ z.')
          : calls
      },
    },
  }
}
