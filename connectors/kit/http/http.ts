import * as http from 'node:http'
import * as https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Http, HttpRequest, HttpResponse } from '../../connector.ts'
import { type LedgerEntry, Rejected, Unavailable } from '../errors.ts'
import { ledgerAnswer } from '../ledger.ts'
import { version } from '../version.ts'
import { guardedAgents, openAgents, parseAllowList } from './guard.ts'
import { isUnconnected, reasonOf } from './network-reason.ts'

/** The limits of a client. What is left out has the default of `createHttp`. */
export type HttpOptions = {
  /** For URLs from users: public addresses only, plus the operator's allow-list. Null: any address. */
  guard: { allow: readonly string[] } | null
  /** From the first byte sent to the last byte of the response. */
  timeoutMs?: number
  /** Bytes of the response body that are read. */
  maxBytes?: number
  /** Replaces the system's resolver in tests. */
  lookup?: LookupFunction
}

/** Set by us on every request; a caller's value could smuggle in a second request. */
const OURS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'upgrade'])

/**
 * Outgoing HTTP of the connectors. A request is sent once: it is never repeated, and redirects are not followed. Any complete
 * response is returned, whatever its status; without one it throws `Unavailable` with a reason in plain words and a ledger
 * entry. Bodies are not decompressed.
 */
export function createHttp(options: HttpOptions): Http {
  const { guard, timeoutMs = 15_000, maxBytes = 2048, lookup } = options
  const allow = parseAllowList(guard?.allow ?? [])
  const open = openAgents(lookup)
  const guarded = guard ? guardedAgents(allow, lookup) : open
  return {
    request: async (request) => {
      const url = parseUrl(request.url)
      const { body, headers } = prepare(request)
      const agents = allow.hosts.has(url.hostname.replace(/\.$/, '')) ? open : guarded
      const secure = url.protocol === 'https:'
      const agent = secure ? agents.https : agents.http
      const send = (then: (response: http.IncomingMessage) => void) =>
        (secure ? https : http).request(url, { method: request.method, headers, agent }, then)
      const limits = {
        timeoutMs: request.timeoutMs ?? timeoutMs,
        maxBytes,
        signal: request.signal,
        secret: headers.authorization?.replace(/^\S+ +/, ''),
      }
      return await exchange(send, body, url.hostname, limits)
    },
  }
}

/** Throws `Rejected` for anything but http and https, and for a user name in the URL, which would end up in logs. */
function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new Rejected('The URL is invalid')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Rejected('The URL must start with http or https')
  if (url.username !== '' || url.password !== '') throw new Rejected('The URL must not contain a user name or password')
  return url
}

function prepare(request: HttpRequest): { body: Buffer; headers: Record<string, string> } {
  const body = Buffer.from(request.body ?? '')
  const headers: Record<string, string> = {
    'user-agent': `Groundswell/${version}`,
    accept: '*/*',
    'accept-encoding': 'identity',
  }
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const key = name.toLowerCase()
    if (OURS.has(key)) throw new Rejected(`The header ${key} cannot be set`)
    try {
      http.validateHeaderName(name)
      http.validateHeaderValue(name, value)
    } catch {
      throw new Rejected('A header contains characters that HTTP does not allow')
    }
    headers[key] = value
  }
  if (request.body !== undefined || request.method !== 'GET') headers['content-length'] = String(body.byteLength)
  return { body, headers }
}

/** `secret` is removed from the ledger. */
type Limits = { timeoutMs: number; maxBytes: number; signal: AbortSignal | undefined; secret: string | undefined }
type Send = (then: (response: http.IncomingMessage) => void) => http.ClientRequest

function exchange(send: Send, body: Buffer, host: string, limits: Limits): Promise<HttpResponse> {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
  const kept: Buffer[] = []
  let size = 0
  let answer: http.IncomingMessage | null = null

  const text = (truncated: boolean) => decode(Buffer.concat(kept), truncated)
  const fail = (reason: string, unsent = false) => {
    const ledger: LedgerEntry = {
      status: answer?.statusCode ?? null,
      answer: answer ? ledgerAnswer(text(true), [limits.secret]) : null,
      durationMs: elapsed(),
      error: reason,
    }
    reject(new Unavailable(reason, { ledger, unsent }))
    call.destroy()
  }
  const finish = (response: http.IncomingMessage, truncated: boolean) =>
    resolve({
      status: response.statusCode ?? 0,
      headers: flatten(response.headers),
      body: text(truncated),
      truncated,
      durationMs: elapsed(),
    })

  const call = send((response) => {
    answer = response
    response.on('data', (chunk: Buffer) => {
      const room = limits.maxBytes - size
      kept.push(chunk.subarray(0, room))
      size += chunk.byteLength
      if (chunk.byteLength <= room) return
      finish(response, true)
      call.destroy()
    })
    response.on('end', () => finish(response, false))
    response.on('error', () => fail(`${host} closed the connection in the middle of its response`))
  })
  call.on('error', (error) => {
    if (!answer) fail(reasonOf(error, host), isUnconnected(error))
  })
  // A response that switches protocols, or a connection that ends without an error, is not a response.
  call.on('close', () => {
    if (!answer) fail(`${host} closed the connection without an answer`)
  })
  call.on('upgrade', (_, socket) => {
    socket.destroy()
    fail(`The response from ${host} was not HTTP`)
  })
  const timer = setTimeout(() => fail(timedOut(host, limits.timeoutMs, answer !== null)), limits.timeoutMs)
  const stop = () => fail('The request was aborted before a response arrived')
  limits.signal?.addEventListener('abort', stop, { once: true })
  if (limits.signal?.aborted) stop()
  else call.end(body)
  return promise.finally(() => {
    clearTimeout(timer)
    limits.signal?.removeEventListener('abort', stop)
  })
}

const timedOut = (host: string, ms: number, began: boolean) =>
  `${host} ${began ? 'did not finish its response' : 'did not respond'} within ${ms / 1000} seconds`

/** UTF-8, with U+FFFD for invalid bytes; a character split by the cut is omitted. */
function decode(bytes: Buffer, cut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: cut })
}

function flatten(headers: http.IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}
