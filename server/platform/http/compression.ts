import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addVary } from './caching.ts'
import { bestEncoding } from './encoding.ts'

/** Below this a reply fits into one packet anyway. */
const MIN_BYTES = 1_400
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}
const GZIP = { level: 4 }

type Encoding = 'br' | 'gzip'

/** Compresses the reply of a call as the client takes it; to be called with each reply before it is sent. */
export type CompressReply = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>

/**
 * For one server. Streams, small replies and those that name an encoding stay as they are; bytes that are sent many times are
 * compressed once. The ETag becomes a weak one: it names what the reply says and not its bytes.
 */
export function replyCompressor(): CompressReply {
  const compressed = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Buffer>>>>()
  const compressOnce = (bytes: Buffer, encoding: Encoding): Promise<Buffer> => {
    const known = compressed.get(bytes) ?? {}
    compressed.set(bytes, known)
    known[encoding] ??= compress(bytes, encoding)
    return known[encoding]
  }
  return async (request, reply, payload) => {
    addVary(reply, 'Accept-Encoding')
    const encoding = bestEncoding(request.headers['accept-encoding'])
    if (encoding === 'identity' || reply.hasHeader('content-encoding')) return payload
    const etag = reply.getHeader('etag')
    if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`)
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    if (payload.length < MIN_BYTES || !/^application\/json\b/.test(String(reply.getHeader('content-type'))))
      return payload
    reply.header('content-encoding', encoding)
    reply.removeHeader('content-length')
    return Buffer.isBuffer(payload) ? compressOnce(payload, encoding) : compress(Buffer.from(payload), encoding)
  }
}

function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? promisify(brotliCompress)(bytes, BROTLI) : promisify(gzip)(bytes, GZIP)
}
