import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import fastifyCors from '@fastify/cors'
import { ContractError } from '@groundswell/contract/errors.ts'
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { errorCode } from '../db/retry.ts'
import type { Services } from '../services.ts'
import { bindHandler } from './bind.ts'
import { leaveBodiesUnread, readJsonBodies } from './body.ts'
import { BODY_TIME, type BodyTime, bodyTimer } from './body-time.ts'
import { addVary } from './caching.ts'
import { closeInTime } from './closing.ts'
import { replyCompressor } from './compression.ts'
import { serveDocuments } from './documents.ts'
import { errorAnswer } from './errors.ts'
import type { Authenticate, Handler } from './handle.ts'
import { isCallPath, methodsByPath } from './paths.ts'
import { setSecurityHeaders } from './security.ts'
import { traceCalls } from './traced-calls.ts'
import { type WebFiles, webFiles, webSite } from './web.ts'

/** A part of the server with its own protocol, with its own errors, below a path. */
export type Mount = {
  prefix: `/${string}`
  register: (app: FastifyInstance) => Promise<void>
  /** Replies to requests that are refused before a call is found, such as a path that cannot be parsed. */
  refuse: (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

/** A call that was answered. `route`: the path with the names of its parameters; the same for everything that is not a call. */
export type Answered = { method: string; route: string; status: number; seconds: number }

/** What a server answers, and its limits. */
export type HttpOptions = {
  handlers: readonly Handler[]
  mounts?: readonly Mount[]
  authenticate: Authenticate
  /** The folder of the built web app; by default the one in this repository. */
  webFolder?: string
  /** The same in memory, where several servers of this process share it. */
  webFiles?: WebFiles
  /** The largest streamed body in bytes. */
  rawLimit?: number
  /** Names of headers that single calls have of their own: pages of allowed origins may send and read them. */
  callHeaders?: readonly string[]
  /** How slowly bodies may arrive, where it differs from the default. */
  bodyTime?: Partial<BodyTime>
  onAnswered?: (call: Answered) => void
  /** Called with every route, including those of mounts. */
  onRoute?: (route: { method: string | string[]; url: string }) => void
  /** How long running calls may take to finish when it closes, in milliseconds. */
  closeMs?: number
}

const JSON_LIMIT = 1024 * 1024
const RAW_LIMIT = 1024 ** 3
const WEB_FOLDER = join(import.meta.dirname, '../../../web/dist')

const CALL_HEADERS = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'ngrok-skip-browser-warning',
  'X-Workspace',
  'X-XSRF-TOKEN',
]
/** Additional headers of the Supabase Auth client. */
const AUTH_CLIENT_HEADERS = ['apikey', 'X-Client-Info', 'X-Supabase-Api-Version']

const HEADERS_MS = 20_000
const IDLE_MS = 60_000
const CLOSE_MS = 10_000

/**
 * The HTTP server of the product, ready for `listen` or `inject`: the calls of the contract, the OpenAPI
 * document and the web app. `close()` gives running calls 10 s to finish. Every error reply has the body of `contract/errors.ts`.
 */
export async function createHttp(
  services: Pick<Services, 'config' | 'log'>,
  options: HttpOptions,
): Promise<FastifyInstance> {
  const log = services.log.child({ part: 'http' })
  const { config } = services
  const callHeaders = options.callHeaders ?? []
  const timer = bodyTimer({ ...BODY_TIME, ...options.bodyTime })
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = errorAnswer(error, request.routeOptions.bodyLimit)
    if (answer.fault)
      log.error({ id: request.id, method: request.method, path: loggedPath(request), err: described(error) }, 'failed')
    if (answer.retryAfter !== undefined) reply.header('retry-after', answer.retryAfter)
    return reply.code(answer.status).send(answer.body)
  }
  const setHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-request-id', request.id)
    if (isCallPath(pathOf(request))) addVary(reply, 'Authorization')
    setSecurityHeaders(reply, config.publicUrl?.startsWith('https:') ?? false)
  }
  const app = fastify({
    logger: false,
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: JSON_LIMIT,
    genReqId: () => randomUUID(),
    // Uploads may take long: how slowly a body may arrive is limited by `bodyTimer`.
    requestTimeout: 0,
    connectionTimeout: IDLE_MS,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 5_000 },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1_000 },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      // No hook runs for these.
      timer.watch(request.raw, reply.raw)
      setHeaders(request, reply)
      const mount = options.mounts?.find(({ prefix }) => request.url.startsWith(`${prefix}/`))
      void (mount?.refuse ?? fail)(error, request, reply)
    },
  })

  app.decorateRequest('apiKeyId', null)
  closeInTime(app, options.closeMs ?? CLOSE_MS)
  timer.limit(app)
  const traced = traceCalls(app, { isOn: config.traces !== undefined, routeOf })
  app.addHook('onRoute', (route) => options.onRoute?.(route))
  const compressReply = replyCompressor()
  app.addHook('onSend', async (request, reply, payload) => {
    setHeaders(request, reply)
    return isReplyOfCall(pathOf(request)) ? compressReply(request, reply, payload) : payload
  })
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      id: request.id,
      method: request.method,
      path: loggedPath(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.apiKeyId === null ? {} : { apiKey: request.apiKeyId }),
    }
    const { method, status } = line
    options.onAnswered?.({ method, route: routeOf(request), status, seconds: reply.elapsedTime / 1000 })
    if (isQuiet(request)) log.debug(line, 'answered')
    else log.info(line, 'answered')
  })
  app.setErrorHandler(fail)
  if (config.allowedOrigins.length > 0) {
    await app.register(fastifyCors, {
      origin: config.allowedOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: [...CALL_HEADERS, ...AUTH_CLIENT_HEADERS, ...callHeaders],
      exposedHeaders: ['ETag', 'X-Request-Id', 'X-Supabase-Api-Version', 'x-sb-error-code', ...callHeaders],
      maxAge: 600,
    })
  }

  readJsonBodies(app)
  const binding = { log, authenticate: options.authenticate, rawLimit: options.rawLimit ?? RAW_LIMIT, timer, traced }
  const [streamed, parsed] = [options.handlers.filter(isStreamed), options.handlers.filter((one) => !isStreamed(one))]
  for (const handler of parsed) bindHandler(app, handler, binding)
  await app.register(async (unread) => {
    leaveBodiesUnread(unread)
    for (const handler of streamed) bindHandler(unread, handler, binding)
  })
  for (const { prefix, register } of options.mounts ?? []) await app.register(register, { prefix })

  serveDocuments(app)

  const site = webSite(options.webFiles ?? webFiles(options.webFolder ?? WEB_FOLDER), services.config)
  const methodsOf = methodsByPath(options.handlers.map((handler) => handler.route))
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    if (!isCallPath(path) && (request.method === 'GET' || request.method === 'HEAD')) return site(request, reply)
    const methods = methodsOf(path)
    const otherMethod = methods.length > 0 && !methods.some((method) => method === request.method)
    if (otherMethod || !isCallPath(path)) {
      reply.header('allow', methods.length > 0 ? methods.join(', ') : 'GET, HEAD')
      return fail(new ContractError('method_not_allowed', `${request.method} is not supported here`), request, reply)
    }
    return fail(new ContractError('not_found', 'There is no such call'), request, reply)
  })
  await app.ready()
  return app
}

/** Not those of sign-in, which are small and say secrets. */
function isReplyOfCall(path: string): boolean {
  return isCallPath(path) && !path.startsWith('/auth/v1/')
}

function isStreamed({ route }: Handler): boolean {
  return route.raw === true
}

/** The path without its query, which may contain a secret. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/'
}

/** A path as it was registered, which holds nothing that a client sent. */
function routeOf(request: FastifyRequest): string {
  if (request.is404) return isCallPath(pathOf(request)) ? 'unknown' : 'web'
  return request.routeOptions.url ?? 'unknown'
}

/** The path without what in it is a secret: the key of a connection's own address for events, the token of a link. */
function loggedPath(request: FastifyRequest): string {
  return pathOf(request).replace(/^(\/api\/(?:[^/]+\/events|shared|digest\/unsubscribe)\/).+$/, '$1…')
}

/** A number states how many proxies are trusted, counted from the nearest. */
function trustedProxies(
  setting: boolean | number | string,
): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting
}

/** The fields of an error that help to find its cause; a database error's other fields quote rows. */
function described(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error }
  const { name, message, stack } = error
  const cause = error.cause instanceof Error ? { cause: error.cause.message } : {}
  return { name, message, code: errorCode(error), stack, ...cause }
}

/** Calls that monitoring makes every few seconds. */
function isQuiet(request: FastifyRequest): boolean {
  return /^\/api\/(health|live)$|^\/assets\//.test(pathOf(request))
}
