import type { IncomingMessage } from 'node:http'

const MAX_BODY = 1024 * 1024

/** The body of a request as text. Throws when it is over 1 MiB, far more than any request to a stand-in. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > MAX_BODY) throw new Error('Too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
