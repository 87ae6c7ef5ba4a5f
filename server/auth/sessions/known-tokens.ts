import { defineCache } from '../../platform/caches.ts'
import type { StopListening } from '../../platform/db/listen.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { CallerCache } from './caller-cache.ts'
import { ACCESS_TOKEN_MS, CLOCK_SKEW_MS } from './lifetimes.ts'
import { NOTICE_CHANNEL, noticesSince } from './notices.ts'
import { loadSigningKeys, type SigningKeys } from './signing-keys.ts'

const REREAD_MS = 60_000
/** While nothing is heard, what ends elsewhere must be noticed by reading. */
const REREAD_NOT_LISTENING_MS = 4_000
const UNKNOWN_KEY_REREAD_MS = 2_000
const SWEEP_ABOVE = 1_000

type Context = Pick<Services, 'db' | 'key' | 'now' | 'log'>

const knownTokensCache = defineCache(
  'known tokens',
  (services) => new KnownTokens(services),
  (known) => known.dispose(),
)

/** What this process knows about tokens. */
export function knownTokens({ caches }: Pick<Services, 'caches'>): KnownTokens {
  return caches.of(knownTokensCache)
}

/**
 * What a process knows by heart so that an access token costs no query: the signing keys, which sessions ended and which
 * accounts changed within the life of a token, and whom the last 10,000 tokens belong to. It hears of changes by NOTIFY,
 * reads all of it again each minute, and every 4 seconds while it cannot hear.
 */
export class KnownTokens {
  readonly callers = new CallerCache()
  readonly #services: Context
  /** Session id → when its notice may be forgotten. */
  readonly #ended = new Map<string, number>()
  /** Account id → since when older tokens may be wrong about it. */
  readonly #changed = new Map<string, number>()
  #keys: SigningKeys | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #keysReadAt = Number.NEGATIVE_INFINITY
  /** Something may have been missed since the last reading began. */
  #missed = true
  #hears = false
  #listening: Promise<StopListening | null> | undefined
  #reading: Promise<void> | undefined

  constructor(services: Context) {
    this.#services = services
  }

  /** Call before anything is judged: waits only when what is known may be too old. Returns the keys. */
  async ready(): Promise<SigningKeys> {
    if (!this.#hears) await this.#listen()
    const age = performance.now() - this.#readAt
    if (this.#missed || !this.#keys || age > REREAD_MS || (!this.#hears && age > REREAD_NOT_LISTENING_MS))
      await this.#read()
    if (!this.#keys) throw new Error('the signing keys could not be read')
    return this.#keys
  }

  /**
   * The keys to sign with. Once they are loaded (`inSignIn`) this costs no query, since it is called within transactions. The
   * last known key counts, even if a newer one was announced meanwhile: its tokens stay valid for their whole life.
   */
  async signingKeys(): Promise<SigningKeys> {
    return this.#keys ?? this.ready()
  }

  /** The keys once more, in case one is newer than what is known; not more often than each two seconds. */
  async reloadKeys(): Promise<SigningKeys> {
    if (performance.now() - this.#keysReadAt > UNKNOWN_KEY_REREAD_MS) await this.#readKeys()
    return this.ready()
  }

  /** True when the session has ended, as far as is known. */
  hasEnded(sessionId: string): boolean {
    return this.#ended.has(sessionId)
  }

  /** True when the account changed since a token was issued, so that the token may be wrong about it. */
  hasChanged(accountId: string, issuedAtMs: number): boolean {
    const at = this.#changed.get(accountId)
    return at !== undefined && issuedAtMs <= at
  }

  /** Stops listening and waits for a reading that is under way, so that the database can be closed. */
  async dispose(): Promise<void> {
    await this.#reading?.catch(() => undefined)
    await (await this.#listening)?.()
  }

  /** Takes in at once what this process itself ended or changed, which the channel will say again. */
  note(kind: 'session' | 'account', ids: readonly string[], at: Date): void {
    for (const id of ids) this.hear(`${kind}:${id}:${at.getTime()}`)
  }

  /** Takes in what the channel says. */
  hear(message: string): void {
    const [kind, id, time] = message.split(':', 3)
    if (kind === 'keys') {
      this.#missed = true
    } else if (id && (kind === 'session' || kind === 'account')) {
      this.#keep(kind, id, Number(time))
      this.callers.forget(`${kind}:${id}`)
    }
  }

  #keep(kind: 'session' | 'account', id: string, at: number): void {
    if (kind === 'session') this.#ended.set(id, at + ACCESS_TOKEN_MS + CLOCK_SKEW_MS)
    else this.#changed.set(id, Math.max(at, this.#changed.get(id) ?? 0))
    if ((this.#ended.size + this.#changed.size) % SWEEP_ABOVE === 0) this.#sweep()
  }

  #sweep(): void {
    const now = this.#services.now().getTime()
    for (const [id, until] of this.#ended) if (until < now) this.#ended.delete(id)
    const oldest = now - ACCESS_TOKEN_MS - CLOCK_SKEW_MS
    for (const [id, at] of this.#changed) if (at < oldest) this.#changed.delete(id)
  }

  async #listen(): Promise<void> {
    const { db, log } = this.#services
    this.#listening ??= db
      .listen(NOTICE_CHANNEL, (message) => this.hear(message), {
        onLost: () => {
          this.#hears = false
        },
        onReconnect: () => {
          this.#missed = true
          this.#hears = true
        },
      })
      .then(
        (stop) => {
          this.#hears = true
          this.#missed = true
          return stop
        },
        (error: Error) => {
          this.#listening = undefined
          log.warn({ err: error.message }, 'ended sign-ins are not heard of yet: they are read every few seconds')
          return null
        },
      )
    await this.#listening
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readAll(): Promise<void> {
    const startedAt = performance.now()
    this.#missed = false
    const since = new Date(this.#services.now().getTime() - ACCESS_TOKEN_MS - CLOCK_SKEW_MS)
    const notices = await withoutWorkspace(this.#services.db, (tx) => noticesSince(tx, since)).catch(
      (error: unknown) => {
        this.#missed = true
        throw error
      },
    )
    await this.#readKeys()
    this.#sweep()
    for (const { kind, subject, at } of notices) {
      if (kind === 'session' ? this.hasEnded(subject) : this.#changed.get(subject) === at.getTime()) continue
      this.hear(`${kind}:${subject}:${at.getTime()}`)
    }
    this.#readAt = startedAt
  }

  async #readKeys(): Promise<void> {
    this.#keysReadAt = performance.now()
    this.#keys = await loadSigningKeys(this.#services)
  }
}
