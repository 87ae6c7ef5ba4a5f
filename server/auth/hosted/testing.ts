import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

/** A key pair of a hosted project. */
export type ProjectKey = { kid: string; alg: 'ES256' | 'RS256'; privateKey: CryptoKey; publicJwk: JWK }

type Answer = { status: number; body?: unknown }

/** A stand-in for a hosted project at the HTTP level: it publishes the given keys, and records its calls. */
export type ProjectStandIn = {
  url: string
  issuer: string
  /** The keys that are published now. */
  published: JWK[]
  /** Replies that replace the default ones, by `METHOD /path` below /auth/v1. */
  replies: Map<string, Answer>
  /** What a call waits for before it is replied to. */
  held: Map<string, Promise<void>>
  /** The calls received, as `METHOD /path`, oldest first. */
  calls: string[]
  /** The people by their sub, as GET /user returns them. */
  people: Map<string, Record<string, unknown>>
  stop(): Promise<void>
}

/** A new signing key of a hosted project, with its public part as a JWK. */
export async function makeProjectKey(
  alg: ProjectKey['alg'] = 'ES256',
  kid: string = randomUUID(),
): Promise<ProjectKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** Starts a stand-in of a hosted project over HTTP. */
export async function startProject(): Promise<ProjectStandIn> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0]?.replace(/^\/auth\/v1/, '') ?? ''
    const call = `${request.method} ${path}`
    standIn.calls.push(call)
    const { status, body } = standIn.replies.get(call) ?? defaultReply(call, request)
    request.resume()
    void (standIn.held.get(call) ?? Promise.resolve()).then(() => {
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
      response.end(body === undefined ? '' : JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const standIn: ProjectStandIn = {
    url,
    issuer: `${url}/auth/v1`,
    published: [],
    replies: new Map(),
    held: new Map(),
    calls: [],
    people: new Map(),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const defaultReply = (call: string, request: IncomingMessage): Answer => {
    if (call === 'GET /.well-known/jwks.json') return { status: 200, body: { keys: standIn.published } }
    if (call === 'GET /settings') return { status: 200, body: { mailer_autoconfirm: false } }
    if (call === 'POST /logout') return { status: 204 }
    const person = standIn.people.get(subOf(request))
    if (call === 'GET /user' && person) return { status: 200, body: person }
    return { status: 403, body: { code: 'user_not_found', message: 'User from sub claim in JWT does not exist' } }
  }
  return standIn
}

/** The claims of an access token as a hosted project makes them; the given ones replace the defaults. */
export function claimsFor(project: ProjectStandIn, now: Date, given: JWTPayload = {}): JWTPayload {
  const iat = Math.floor(now.getTime() / 1_000)
  return {
    iss: project.issuer,
    aud: 'authenticated',
    sub: randomUUID(),
    role: 'authenticated',
    email: 'ann@example.com',
    session_id: randomUUID(),
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: iat }],
    is_anonymous: false,
    user_metadata: { name: 'Ann' },
    iat,
    exp: iat + 3_600,
    ...given,
  }
}

/** A token with these claims, signed with the key. */
export function signed(key: Pick<ProjectKey, 'kid' | 'alg' | 'privateKey'>, claims: JWTPayload): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT' }).sign(key.privateKey)
}

function subOf(request: IncomingMessage): string {
  const payload = String(request.headers.authorization).split('.')[1] ?? ''
  try {
    return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string }).sub
  } catch {
    return ''
  }
}
