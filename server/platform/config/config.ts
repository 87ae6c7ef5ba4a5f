import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { type HostedAuth, readHostedAuth } from './hosted-auth.ts'
import type { EmbeddingSettings, LlmSettings } from './model-settings.ts'
import { readTraces, type TraceSettings } from './traces.ts'
import {
  address,
  databaseAddress,
  decodeKey,
  issuer,
  list,
  oneOf,
  origin,
  rateLimits,
  trustProxy,
  webAddress,
  wholeNumber,
  yesOrNo,
} from './values.ts'

/** Everything an operator can configure, read once at the start of a process and passed down. */
export interface Config {
  /** Absolute folder of the private database, the secret key and imported files. */
  dataDir: string
  /** A PostgreSQL server (15 or later) to use instead of the private one. */
  databaseUrl?: string
  /** The same database without a pooler in between, for LISTEN and jobs; DATABASE_URL when not set. */
  databaseDirectUrl?: string
  /** The same database as the owner of its tables, for migrations and backups; DATABASE_DIRECT_URL when not set. */
  databaseAdminUrl?: string
  /** The same database as the role of the sign-in code, which alone may use the tables of accounts. May lead through a pooler. */
  databaseAuthUrl?: string
  /** The most connections of one process: for calls and transactions, for sign-ins, and directly to the server for jobs. */
  databaseConnections: { pool: number; auth: number; queue: number }
  port: number
  /** How many ports after it may be used where it is taken: none after one that the operator chose. */
  nextPorts: number
  /** The address to listen on; only this machine unless HOST is set (0.0.0.0 for all). */
  host: string
  /** Where metrics are published, if they are. */
  metrics?: { host: string; port: number }
  /** How traces are sent, if they are. */
  traces?: TraceSettings
  /** The product's public address, without a trailing slash. */
  publicUrl?: string
  /** How many proxies in front are trusted, or which; false: none. */
  trustProxy: boolean | number | string
  /** Web origins other than our own that may call the API. */
  allowedOrigins: string[]
  /** Hosts and CIDR blocks that webhooks may reach although they are private. */
  allowPrivateAddresses: string[]
  signup: 'open' | 'invite' | 'closed'
  onboardingUrl?: string
  /** The live-chat widget of the signed in, if any. `host` is Chatwoot's own address. */
  chat?: { provider: 'intercom' | 'crisp' | 'chatwoot'; id: string; host: string | null }
  logLevel: LogLevel
  /** The sealing key, 32 bytes as base64 or hex; without it a key file is stored in dataDir. */
  key?: string
  /** Earlier keys, which open what they sealed. */
  oldKeys?: readonly string[]
  evalsDir?: string
  comparisonsDir?: string
  /** Addresses of providers that replace the usual ones, by connector: `SLACK_BASE_URL` is `slack`. Without a trailing slash. */
  baseUrls: Readonly<Record<string, string>>
  /** The same for single hosts of a provider: `JIRA_LOGIN_BASE_URL` is `jira`, `login`. */
  hostUrls: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Credentials of the operator's apps at providers, by the names of their variables, such as `SLACK_CLIENT_ID`. */
  appCredentials: Readonly<Record<string, string>>
  /** Connectors whose codes are accepted without the state that proves who requested them, for clients that store none. */
  oauthStateless: readonly string[]
  /** Ids of connectors that are shown as coming soon and cannot be connected; a connected one keeps working. */
  comingSoon: readonly string[]
  /** Jobs of one kind that one worker process runs at once. */
  workerConcurrency: number
  /** Addresses, with * for part of a segment and ** for any part, that sign-in may redirect to besides our own. */
  authRedirectUrls: readonly string[]
  /**
   * True: e-mail addresses count as confirmed at sign-up. False: no one signs in before theirs is. Not set: people sign in
   * immediately and confirm later.
   */
  authAutoconfirm?: boolean
  /** True: a refresh token that was used more than 10 s ago always ends its sign-in, even the one before the newest. */
  authStrictRefresh: boolean
  /** KiB, passes and lanes of a password's hash, where it may cost less than usual. No variable sets it: tests make thousands. */
  passwordCost?: { memoryCost: number; timeCost: number; parallelism: number }
  /** Limits by name that differ from the defaults; null: no limits. */
  authRateLimits: Readonly<Record<string, number>> | null
  /** How many expensive calls of a kind run at once, where that differs from the default; null: no limits. */
  callsAtOnce: Readonly<Record<string, number>> | null
  /** The mail server, and the sender; without the first there is no mail. */
  smtpUrl?: string
  mailFrom: string
  /** For how long a stopping API process still serves calls while /api/health is 503, so that a load balancer notices; in milliseconds. */
  shutdownDelayMs: number
  /** Scheduled backups of the private database: their folder, the hour (UTC) and how many are kept; 0: none are written. */
  backups: { folder?: string; hour: number; keep: number }
  /** For how many days the audit log is retained. */
  auditDays: number
  /** The demo may listen where other machines can reach it. */
  demoPublic: boolean
  /** Sign-in by a hosted project in place of our own accounts, when one is set up. */
  hostedAuth?: HostedAuth
  /** Sign-in with Google, when there are credentials. `issuer` has no trailing slash. */
  google?: { issuer: string; clientId: string; clientSecret: string }
  /** The language model that names insights, if one is configured. */
  llm?: LlmSettings
  /** The embedding model, if one is configured. */
  embeddings?: EmbeddingSettings
  /** The built-in sentence encoder, unless it is switched off. */
  encoder?: EncoderSettings
}

/** `folder`: absolute, of a model to use instead of the one that npm installs. `adapter`: whether ours is merged into the latter (default: yes). */
interface EncoderSettings {
  folder?: string
  adapter?: boolean
}

/** The least severe level that is logged; `silent`: nothing is. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

/** The configuration is invalid; the message names every wrong variable, one per line. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The provider of the protocol that most servers support; it needs an address. */
const OPENAI_COMPATIBLE = 'openai-compatible'

const ROOT_DATA_DIR = '/var/lib/groundswell'

const DEFAULT_PORT = 3000
const NEXT_PORTS = 20

const environment = z.object({
  GROUNDSWELL_DATA: z.string().optional(),
  DATABASE_URL: databaseAddress.optional(),
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  DATABASE_ADMIN_URL: databaseAddress.optional(),
  DATABASE_AUTH_URL: databaseAddress.optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 1_000).default(10),
  DATABASE_AUTH_POOL_SIZE: wholeNumber(1, 1_000).default(5),
  // The queue's own upkeep needs one while jobs use the others.
  DATABASE_QUEUE_POOL_SIZE: wholeNumber(2, 1_000).default(5),
  PORT: wholeNumber(0, 65_535).optional(),
  HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: webAddress.optional(),
  TRUST_PROXY: trustProxy.default(false),
  ALLOWED_ORIGINS: list.pipe(z.array(origin)).default([]),
  WEBHOOK_ALLOW: list.default([]),
  COMING_SOON: list.default([]),
  SIGNUP: oneOf(['open', 'invite', 'closed']).default('open'),
  ONBOARDING_URL: webAddress.optional(),
  CHAT_WIDGET: oneOf(['intercom', 'crisp', 'chatwoot']).optional(),
  CHAT_WIDGET_ID: z
    .string()
    .regex(/^[\w-]{1,200}$/, 'must be the id that the provider gives, of letters, digits, - and _')
    .optional(),
  CHAT_WIDGET_HOST: origin.optional(),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  GROUNDSWELL_KEY: z
    .string()
    .refine((text) => decodeKey(text) !== null, 'must be 32 bytes, as 64 hex digits or as base64')
    .optional(),
  GROUNDSWELL_OLD_KEYS: list
    .pipe(
      z.array(z.string().refine((text) => decodeKey(text) !== null, 'must be keys of 32 bytes with commas between')),
    )
    .default([]),
  GROUNDSWELL_EVALS: z.string().optional(),
  GROUNDSWELL_COMPARISONS: z.string().optional(),
  WORKER_CONCURRENCY: wholeNumber(1, 64).default(4),
  AUTH_REDIRECT_URLS: list
    .pipe(
      z.array(z.string().regex(/^[a-z][a-z0-9+.-]*:\/\/./i, 'must hold addresses such as https://app.example.com/**')),
    )
    .default([]),
  AUTH_AUTOCONFIRM: yesOrNo.optional(),
  AUTH_STRICT_REFRESH: yesOrNo.default(false),
  AUTH_RATE_LIMITS: rateLimits.default({}),
  CALLS_AT_ONCE: rateLimits.default({}),
  SMTP_URL: address(['smtp', 'smtps']).optional(),
  MAIL_FROM: z.string().default('Groundswell <groundswell@localhost>'),
  BACKUP_FOLDER: z.string().optional(),
  SHUTDOWN_DELAY: wholeNumber(0, 20).default(0),
  BACKUP_HOUR: wholeNumber(0, 23).default(3),
  BACKUP_KEEP: wholeNumber(0, 1_000).default(7),
  AUDIT_DAYS: wholeNumber(1, 36_500).default(365),
  DEMO_PUBLIC: yesOrNo.default(false),
  GOOGLE_ISSUER: issuer.default('https://accounts.google.com'),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  SUPABASE_URL: issuer.optional(),
  SUPABASE_ANON_KEY: z.string().optional(),
  SUPABASE_PUBLISHABLE_KEY: z.string().optional(),
  SUPABASE_ISSUER: issuer.optional(),
  LLM_PROVIDER: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be the end of the name of an @ai-sdk package, such as anthropic')
    .default(OPENAI_COMPATIBLE),
  LLM_URL: webAddress
    .refine((text) => URL.parse(text)?.username === '', 'must not hold a user name or password: use LLM_KEY')
    .optional(),
  LLM_KEY: z.string().optional(),
  LLM_MODEL: z.string().max(200, 'must be at most 200 characters').optional(),
  LLM_TOKENS_PER_DAY: wholeNumber(0, 1_000_000_000).default(200_000),
  EMBEDDINGS_PROVIDER: oneOf([OPENAI_COMPATIBLE, 'local']).default(OPENAI_COMPATIBLE),
  EMBEDDINGS_URL: webAddress
    .refine((text) => URL.parse(text)?.username === '', 'must not hold a user name or password: use EMBEDDINGS_KEY')
    .optional(),
  EMBEDDINGS_KEY: z.string().optional(),
  EMBEDDINGS_MODEL: z.string().max(200, 'must be at most 200 characters').optional(),
  EMBEDDINGS_PACKAGE: z.string().optional(),
  // Less would not be enough for a few large calls.
  EMBEDDINGS_TOKENS_PER_DAY: wholeNumber(1_000_000, 1_000_000_000_000).default(10_000_000),
  ENCODER: oneOf(['on', 'off']).default('on'),
  ENCODER_MODEL: z.string().optional(),
  ENCODER_ADAPTER: oneOf(['on', 'off']).default('on'),
})

const BASE_URL = /^([A-Z]+)(?:_([A-Z]+))?_BASE_URL$/
const STATELESS = /^([A-Z]+)_OAUTH_STATELESS$/
const APP_CREDENTIAL = /^[A-Z]+_(CLIENT_ID|CLIENT_SECRET|SIGNING_SECRET|WEBHOOK_SECRET|APP_[A-Z_]+)$/

/**
 * Reads the settings from the environment. An empty variable counts as not set, as in compose files.
 * Folders are relative to the caller's folder (npm changes the working directory and passes
 * the original one in INIT_CWD).
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, cwd: string = process.cwd()): Config {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value !== '') given[name] = value
  const parsed = environment.safeParse(given)
  if (!parsed.success) throw new ConfigError(describe(parsed.error))
  const values = parsed.data
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_ADMIN_URL', 'DATABASE_AUTH_URL'] as const)
    if (values[name] && !values.DATABASE_URL)
      throw new ConfigError(`These settings are wrong:\n  DATABASE_URL must be set where ${name} is`)
  const base = given.INIT_CWD ?? cwd
  const folder = (path: string | undefined) => (path === undefined ? undefined : resolveFolder(path, base))
  return {
    dataDir: folder(values.GROUNDSWELL_DATA) ?? (isRoot() ? ROOT_DATA_DIR : join(base, 'data')),
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databaseAdminUrl: values.DATABASE_ADMIN_URL,
    databaseAuthUrl: values.DATABASE_AUTH_URL,
    databaseConnections: {
      pool: values.DATABASE_POOL_SIZE,
      auth: values.DATABASE_AUTH_POOL_SIZE,
      queue: values.DATABASE_QUEUE_POOL_SIZE,
    },
    port: values.PORT ?? DEFAULT_PORT,
    nextPorts: values.PORT === undefined ? NEXT_PORTS : 0,
    host: values.HOST,
    metrics: values.METRICS_PORT === undefined ? undefined : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    traces: unlessWrong(readTraces(given)),
    publicUrl: values.PUBLIC_URL,
    trustProxy: values.TRUST_PROXY,
    allowedOrigins: values.ALLOWED_ORIGINS,
    allowPrivateAddresses: values.WEBHOOK_ALLOW,
    comingSoon: values.COMING_SOON,
    signup: values.SIGNUP,
    onboardingUrl: values.ONBOARDING_URL,
    chat: readChat(values),
    logLevel: values.LOG_LEVEL,
    key: values.GROUNDSWELL_KEY,
    oldKeys: values.GROUNDSWELL_OLD_KEYS,
    evalsDir: folder(values.GROUNDSWELL_EVALS),
    comparisonsDir: folder(values.GROUNDSWELL_COMPARISONS),
    ...readAddresses(given),
    appCredentials: Object.fromEntries(Object.entries(given).filter(([name]) => APP_CREDENTIAL.test(name))),
    oauthStateless: Object.keys(given).flatMap(
      (name) => (given[name] === '1' && STATELESS.exec(name)?.[1]?.toLowerCase()) || [],
    ),
    workerConcurrency: values.WORKER_CONCURRENCY,
    authRedirectUrls: values.AUTH_REDIRECT_URLS,
    authAutoconfirm: values.AUTH_AUTOCONFIRM,
    authStrictRefresh: values.AUTH_STRICT_REFRESH,
    authRateLimits: values.AUTH_RATE_LIMITS,
    callsAtOnce: values.CALLS_AT_ONCE,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    shutdownDelayMs: values.SHUTDOWN_DELAY * 1000,
    backups: { folder: folder(values.BACKUP_FOLDER), hour: values.BACKUP_HOUR, keep: values.BACKUP_KEEP },
    auditDays: values.AUDIT_DAYS,
    demoPublic: values.DEMO_PUBLIC,
    google: readGoogle(values),
    hostedAuth: unlessWrong(readHostedAuth(values)),
    llm: readLlm(values),
    embeddings: readEmbeddings(values, base),
    encoder:
      values.ENCODER === 'off'
        ? undefined
        : { folder: folder(values.ENCODER_MODEL), adapter: values.ENCODER_ADAPTER === 'on' },
  }
}

function readLlm(values: z.infer<typeof environment>): Config['llm'] {
  const { LLM_PROVIDER: provider, LLM_URL: url, LLM_KEY: key, LLM_MODEL: model } = values
  if (model === undefined) {
    if (url === undefined && key === undefined) return undefined
    throw new ConfigError('These settings are wrong:\n  LLM_MODEL is missing: it names the language model to use')
  }
  if (url === undefined && provider === OPENAI_COMPATIBLE) {
    throw new ConfigError(
      'These settings are wrong:\n  LLM_URL is missing: where the model is, such as http://127.0.0.1:11434/v1',
    )
  }
  return { provider, url, key, model, tokensPerDay: values.LLM_TOKENS_PER_DAY }
}

function readEmbeddings(values: z.infer<typeof environment>, base: string): Config['embeddings'] {
  const { EMBEDDINGS_PROVIDER: provider, EMBEDDINGS_URL: url, EMBEDDINGS_KEY: key, EMBEDDINGS_MODEL: model } = values
  const missing = (what: string) => new ConfigError(`These settings are wrong:\n  ${what}`)
  if (model === undefined) {
    if (url === undefined && key === undefined && provider === OPENAI_COMPATIBLE) return undefined
    throw missing('EMBEDDINGS_MODEL is missing: it names the embedding model to use')
  }
  if (provider === 'local') {
    const folder = values.EMBEDDINGS_PACKAGE
    const isFolder = /^(~?\/|\.{1,2}\/)/.test(model)
    return {
      provider,
      model: isFolder ? resolveFolder(model, base) : model,
      packageDir: folder === undefined ? undefined : resolveFolder(folder, base),
    }
  }
  if (url === undefined)
    throw missing('EMBEDDINGS_URL is missing: where the model is, such as http://127.0.0.1:11434/v1')
  return { provider, url, key, model, tokensPerDay: values.EMBEDDINGS_TOKENS_PER_DAY }
}

function readGoogle(values: z.infer<typeof environment>): Config['google'] {
  const { GOOGLE_ISSUER, GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = values
  if (clientId && clientSecret) return { issuer: GOOGLE_ISSUER, clientId, clientSecret }
  const missing = clientId ? 'GOOGLE_CLIENT_SECRET' : 'GOOGLE_CLIENT_ID'
  if (clientId || clientSecret) {
    throw new ConfigError(
      `These settings are wrong:\n  ${missing} is missing: sign-in with Google needs both the id and the secret`,
    )
  }
  return undefined
}

/** The settings that were read. Throws `ConfigError` for a text, which says why they are wrong. */
function unlessWrong<T extends object>(read: T | string | undefined): T | undefined {
  if (typeof read === 'string') throw new ConfigError(`These settings are wrong:\n  ${read}`)
  return read
}

function readChat(values: z.infer<typeof environment>): Config['chat'] {
  const { CHAT_WIDGET: provider, CHAT_WIDGET_ID: id, CHAT_WIDGET_HOST: host = null } = values
  if (provider === undefined) return undefined
  if (id === undefined) throw new ConfigError(`These settings are wrong:\n  CHAT_WIDGET_ID must be set for ${provider}`)
  return { provider, id, host: provider === 'chatwoot' ? (host ?? 'https://app.chatwoot.com') : null }
}

function readAddresses(given: Record<string, string>): Pick<Config, 'baseUrls' | 'hostUrls'> {
  const baseUrls: Record<string, string> = {}
  const hostUrls: Record<string, Record<string, string>> = {}
  for (const [name, value] of Object.entries(given)) {
    const [, id, host] = BASE_URL.exec(name) ?? []
    if (id === undefined) continue
    const parsed = webAddress.safeParse(value)
    if (!parsed.success)
      throw new ConfigError(`These settings are wrong:\n  ${name} ${parsed.error.issues[0]?.message}`)
    const connector = id.toLowerCase()
    if (host === undefined) baseUrls[connector] = parsed.data
    else hostUrls[connector] = { ...hostUrls[connector], [host.toLowerCase()]: parsed.data }
  }
  return { baseUrls, hostUrls }
}

function resolveFolder(path: string, base: string): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1))
  return isAbsolute(path) ? resolve(path) : resolve(base, path)
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** One line per variable. The value itself is never shown: it may be a secret. */
function describe(error: z.ZodError): string {
  const lines = new Map<string, string>()
  for (const issue of error.issues) {
    const name = String(issue.path[0] ?? 'environment')
    if (!lines.has(name)) lines.set(name, `  ${name} ${issue.message}`)
  }
  return `These settings are wrong:\n${[...lines.values()].join('\n')}`
}
