import { randomBytes } from 'node:crypto'
import type * as http from 'node:http'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose'
import { bearerOf } from '../grants.ts'
import { refusalHtml } from '../page.ts'
import { readBody } from '../request-body.ts'
import { serve } from '../server.ts'
import { chooseHtml } from './choose.ts'
import { createGrants, type Grant } from './grants.ts'
import { people as knownPeople, type OpenIdPerson } from './people.ts'

/**
 * What is wrong with the next response of the token endpoint: an ID token for another request, another app, from another issuer,
 * expired, signed with another key or with none; no token at all; a server error; the page of a proxy that blocks the request; a refusal of the
 * app's secret; a response after `SLOW_MS`.
 */
export type OpenIdFault =
  | 'wrong-nonce'
  | 'wrong-audience'
  | 'wrong-issuer'
  | 'expired'
  | 'bad-signature'
  | 'unsigned'
  | 'no-id-token'
  | '500'
  | 'blocked'
  | 'invalid-client'
  | 'slow'

export type OpenIdOptions = {
  people?: readonly OpenIdPerson[]
  /** 0: any free one. */
  port?: number
  host?: string
  clientId?: string
  clientSecret?: string
  now?: () => Date
  /** Newly generated ones unless given, which takes time. */
  keys?: Awaited<ReturnType<typeof generateKeys>>
}

export type OpenIdSandbox = {
  /** The issuer: where discovery starts. */
  url: string
  clientId: string
  clientSecret: string
  people: readonly OpenIdPerson[]
  /** Makes the next responses of the token endpoint wrong. */
  fault(kind: OpenIdFault, times?: number): void
  /** Requests handled so far, by path. */
  requests(): Record<string, number>
  stop(): Promise<void>
}

const LIFE_SECONDS = 3600
const SLOW_MS = 150
const KEY_ID = 'sandbox-1'

/** The key of the tokens, and another one. */
export const generateKeys = (): Promise<[GenerateKeyPairResult, GenerateKeyPairResult]> =>
  Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])

/** Starts an OpenID provider like Google over real HTTP, with made-up people. For the demo and tests. */
export async function startOpenId(options: OpenIdOptions = {}): Promise<OpenIdSandbox> {
  const { people = knownPeople, port = 0, host = '127.0.0.1', now = () => new Date() } = options
  const { clientId = 'sandbox-google-client', clientSecret = 'sandbox-google-secret' } = options
  const grants = createGrants({ clientId, clientSecret })
  const [right, wrong] = options.keys ?? (await generateKeys())
  const jwks = { keys: [{ ...(await exportJWK(right.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }] }
  const tokens = new Map<string, OpenIdPerson>()
  const faults: OpenIdFault[] = []
  const requests: Record<string, number> = {}
  let url = ''

  const idToken = async ({ person, nonce }: Grant, fault: OpenIdFault | undefined): Promise<string> => {
    const time = Math.floor(now().getTime() / 1000) - (fault === 'expired' ? 2 * LIFE_SECONDS : 0)
    const echoed = fault === 'wrong-nonce' ? 'another nonce' : nonce
    const claims = { ...claimsOf(person), ...(echoed === null ? {} : { nonce: echoed }) }
    if (fault === 'unsigned') {
      const times = { iss: url, aud: clientId, iat: time, exp: time + LIFE_SECONDS }
      const [header, body] = [{ alg: 'none' }, { ...claims, ...times }].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      )
      return `${header}.${body}.`
    }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })
      .setIssuer(fault === 'wrong-issuer' ? 'https://elsewhere.example' : url)
      .setAudience(fault === 'wrong-audience' ? 'another-app' : clientId)
      .setIssuedAt(time)
      .setExpirationTime(time + LIFE_SECONDS)
      .sign(fault === 'bad-signature' ? wrong.privateKey : right.privateKey)
  }

  const token = async (request: http.IncomingMessage, response: http.ServerResponse, values: URLSearchParams) => {
    const fault = faults.shift()
    if (fault === '500') return sendJson(response, { error: 'server_error' }, 500)
    if (fault === 'blocked') return sendHtml(response, refusalHtml('Blocked by a proxy.'), 403)
    if (fault === 'invalid-client') return sendJson(response, { error: 'invalid_client' }, 401)
    const grant = grants.exchange(values, request.headers.authorization)
    if ('error' in grant) return sendJson(response, grant, grant.error === 'invalid_client' ? 401 : 400)
    const accessToken = `sandbox-access-${randomBytes(12).toString('hex')}`
    tokens.set(accessToken, grant.person)
    const idPart = fault === 'no-id-token' ? {} : { id_token: await idToken(grant, fault) }
    const refreshPart = grant.isOffline ? { refresh_token: `sandbox-refresh-${randomBytes(12).toString('hex')}` } : {}
    const answer = {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: LIFE_SECONDS,
      ...refreshPart,
      ...idPart,
    }
    if (fault === 'slow') setTimeout(() => sendJson(response, answer), SLOW_MS)
    else sendJson(response, answer)
  }

  const authorize = (request: http.IncomingMessage, response: http.ServerResponse, values: URLSearchParams) => {
    const problem = grants.problem(values)
    if (problem !== null) return sendHtml(response, refusalHtml(problem), 400)
    if (request.method !== 'POST') return sendHtml(response, chooseHtml(values, people))
    const chosen = values.get('person') ?? ''
    const person = people.find(({ sub }) => sub === chosen) ?? null
    if (person === null && chosen !== '') return sendHtml(response, refusalHtml('There is no such person.'), 400)
    response.writeHead(303, { location: grants.decide(values, person) }).end()
  }

  const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://openid')
    requests[pathname] = (requests[pathname] ?? 0) + 1
    const values = new URLSearchParams([...searchParams, ...new URLSearchParams(await readBody(request))])
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return sendJson(response, discovery(url))
      case '/jwks':
        return sendJson(response, jwks)
      case '/authorize':
        return authorize(request, response, values)
      case '/token':
        return token(request, response, values)
      case '/userinfo': {
        const person = tokens.get(bearerOf(request.headers.authorization))
        return person ? sendJson(response, claimsOf(person)) : sendJson(response, { error: 'invalid_token' }, 401)
      }
      default:
        return sendHtml(response, refusalHtml('Not found.'), 404)
    }
  }

  const server = await serve(handle, { host, port })
  url = server.url
  return {
    url,
    clientId,
    clientSecret,
    people,
    fault: (kind, times = 1) => faults.push(...Array.from({ length: times }, () => kind)),
    requests: () => ({ ...requests }),
    stop: server.stop,
  }
}

function claimsOf({ sub, name, email, emailVerified }: OpenIdPerson): Record<string, unknown> {
  return { sub, name, email, email_verified: emailVerified }
}

function discovery(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
    claims_supported: ['sub', 'email', 'email_verified', 'name'],
  }
}

function sendJson(response: http.ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

function sendHtml(response: http.ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  response.end(body)
}
