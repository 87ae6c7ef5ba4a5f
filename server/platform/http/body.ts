import type { Readable } from 'node:stream'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyThreads } from './body-threads.ts'
import { CheckedBody } from './parse.ts'
import { hasMoreValues, parseJson } from './parse-json.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call that a route is of. */
    call?: string
    /** The address of the module that exports `bodySchemas`, by calls; without it, the call is one of the contract. */
    bodySchemas?: string
  }
}

/** A body with more bytes or values is parsed in another thread: the event loop would answer nobody for a tenth of a second or longer. */
const MAX_PARSED_HERE = { bytes: 1024 * 1024, values: 5_000 }

/** Reads bodies as JSON; a large one of a call as a `CheckedBody`. An empty one counts as none, because clients send the JSON content type with no body at all. */
export function readJsonBodies(app: FastifyInstance): void {
  const threads = bodyThreads()
  app.addHook('onClose', () => threads.stop())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ routeOptions }: FastifyRequest, bytes: Buffer) => {
      if (bytes.length === 0) return undefined
      const isLarge = bytes.length > MAX_PARSED_HERE.bytes || hasMoreValues(bytes, MAX_PARSED_HERE.values)
      const { call = null, bodySchemas = null } = routeOptions.config
      const parsed = isLarge ? await threads.parse({ bytes, call, bodySchemas }).catch(refusal) : parseJson(bytes)
      if ('refused' in parsed) throw new ContractError('invalid_input', parsed.refused)
      return 'checked' in parsed ? new CheckedBody(parsed.checked) : parsed.value
    },
  )
}

/** The thread has ended, for lack of memory, or too many bodies wait for it. */
function refusal(): never {
  throw new ContractError('not_ready', 'Too many large requests are being read at the moment: try again')
}

/** Leaves bodies of any content type unread, for handlers that stream them. */
export function leaveBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/** The bytes of an unread body; throws a `ContractError` beyond the limit, or when the client disconnects. */
export async function* rawBody(request: FastifyRequest, limit: number): AsyncGenerator<Uint8Array> {
  const stream = request.body as Readable | undefined
  if (!stream) return
  const tooLarge = () => new ContractError('payload_too_large', `The file has more than ${sizeText(limit)}`)
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge()
  let seen = 0
  // Destroying the stream would end the connection before the refusal is sent.
  const chunks: AsyncIterable<Buffer> = stream.iterator({ destroyOnReturn: false })
  for await (const chunk of namingBreaks(chunks)) {
    seen += chunk.length
    if (seen > limit) throw tooLarge()
    yield chunk
  }
}

/** The same chunks. A client that disconnected, or was disconnected for being too slow, is not a server error. */
async function* namingBreaks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]()
  for (;;) {
    const next = await iterator.next().catch(() => {
      throw new ContractError('invalid_input', 'The upload was interrupted')
    })
    if (next.done) return
    yield next.value
  }
}

/** A number of bytes in a unit that people read. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB']
  const power = Math.min(3, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${units[power]}`
}
