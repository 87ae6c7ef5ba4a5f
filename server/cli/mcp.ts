import { once } from 'node:events'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const TIMEOUT_MS = 120_000
/** The protocol leaves these to servers. */
const SERVER_ERROR = -32000

/**
 * The MCP server over standard input and output, for agents that start their servers: passes each message on to `/api/mcp` of the server that
 * GROUNDSWELL_URL names, with the key GROUNDSWELL_API_KEY, so that the tools and permissions are those of that server. Ends with its input.
 */
export async function serveStdio({ env, stdin, stdout, stderr }: Terminal): Promise<void> {
  const { GROUNDSWELL_URL: url, GROUNDSWELL_API_KEY: key } = env
  if (!url || !URL.canParse(url)) throw new UsageError('Set GROUNDSWELL_URL to the address of the server.')
  if (!key) throw new UsageError('Set GROUNDSWELL_API_KEY to an API key, from Settings › Developers.')
  const post = poster(new URL('api/mcp', url.endsWith('/') ? url : `${url}/`), key)
  const transport = new StdioServerTransport(stdin, stdout)
  transport.onerror = (error) => void stderr.write(`${error.message}\n`)
  transport.onmessage = (message) => void passOn(message)
  await transport.start()

  async function passOn(message: JSONRPCMessage): Promise<void> {
    const answer = await post(message).catch((error: Error) => {
      const reason = reasonOf(error)
      stderr.write(`${reason}\n`)
      return failure(message, reason)
    })
    if (answer && !stdout.write(`${lineOf(answer)}\n`)) await once(stdout, 'drain')
  }
}

/**
 * A message as JSON, with what JSON need not escape and what quoted feedback must not reach: terminals act on control characters and on those that turn
 * the direction of text, and some readers take the separators of lines for ends of lines.
 */
function lineOf(message: JSONRPCMessage): string {
  return JSON.stringify(message).replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Sends messages to the server, and returns what it answers; null for a notification. */
function poster(address: URL, key: string): (message: JSONRPCMessage) => Promise<JSONRPCMessage | null> {
  let version: string | undefined
  return async (message) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
      },
      body: JSON.stringify(message),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (response.status === 202) return null
    const body: unknown = JSON.parse(text)
    const answer = JSONRPCMessageSchema.safeParse(body)
    if (!answer.success) {
      const { code, message: reason } = body as { code?: string; message?: string }
      throw new Error(`${code ?? response.status}: ${reason ?? 'the server gave no reason'}`)
    }
    if ('result' in answer.data && typeof answer.data.result.protocolVersion === 'string') {
      version = answer.data.result.protocolVersion
    }
    return answer.data
  }
}

/** The answer to a request that could not be passed on. */
function failure(message: JSONRPCMessage, reason: string): JSONRPCMessage | null {
  if (!('method' in message && 'id' in message)) return null
  return { jsonrpc: '2.0', id: message.id, error: { code: SERVER_ERROR, message: reason } }
}

function reasonOf({ message, cause }: Error): string {
  return `${message}${cause instanceof Error ? ` (${cause.message})` : ''}`
}
