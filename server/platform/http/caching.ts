import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from './handle.ts'

/** Stored by the caller's browser, and revalidated before each use. */
export const REVALIDATED = 'private, no-cache'
/** Stored nowhere. */
export const NOT_STORED = 'no-store'

/**
 * The ETag (with its quotes) of one version of a reply. It names the caller too: a version such as "revision 2" exists in
 * every workspace, and must not confirm to one caller what the browser stored for another.
 */
export function etagFor(caller: Caller | null, version: string): string {
  return `"${audienceOf(caller)}-${version}"`
}

/** True when the client already has the version that this ETag names, according to its If-None-Match; weak and strong compare alike. */
export function clientHas(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag)
}

/** The version that the client says it has, if it was this caller's; null if it says none, or several. */
export function clientVersion(request: FastifyRequest, caller: Caller | null): string | null {
  const start = etagFor(caller, '').slice(0, -1)
  const tag = request.headers['if-none-match']?.trim().replace(/^W\//, '')
  return tag?.startsWith(start) && /^"[^"]*"$/.test(tag) ? tag.slice(start.length, -1) : null
}

/** Adds a request header to those that the reply depends on, in addition to any that are already named. */
export function addVary(reply: FastifyReply, name: string): void {
  const present = [reply.getHeader('vary') ?? []].flat().join(', ')
  const names = present.split(',').map((one) => one.trim().toLowerCase())
  if (names.includes(name.toLowerCase())) return
  reply.header('vary', present === '' ? name : `${present}, ${name}`)
}

function audienceOf(caller: Caller | null): string {
  if (!caller) return 'public'
  const who = [caller.workspaceId, caller.accountId, caller.key?.id ?? (caller.isAdmin ? 'admin' : 'member')].join('\n')
  return createHash('sha256').update(who).digest('base64url').slice(0, 22)
}
