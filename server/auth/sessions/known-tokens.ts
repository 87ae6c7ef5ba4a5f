import { defineCache } from '../../platform/caches.ts'
import type { StopListening } from '../../platform/db/listener.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { CallerCache } from './caller-cache.ts'
import { CLOCK_JUMP_MS, CLOCK_SKEW_MS, REMEMBER_MS } from './lifetimes.ts'
import { NOTICE_CHANNEL, noticesSince } from './notice-store.ts'
import { loadSigningKeys, type SigningKeys } from './signing-keys.ts'

const REREAD_MS = 60_000
/** Without a listener, changes by other processes are found by polling. */
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
 * Caches what an access token needs, so that it costs no query: the signing keys, the sessions that ended and the accounts
 * that changed while a token from before may be valid, and the callers of the last 10,000 tokens. Changes arrive by NOTIFY; everything is
 * read again each minute, and every 4 seconds while the listener is down.
 */
export class KnownTokens {
  readonly callers = new CallerCache()
  readonly #services: Context
  /** Session id → when its notice can be dropped. */
  readonly #ended = new Map<string, number>()
  /** Account id → tokens issued before this time may be out of date. */
  readonly #changed = new Map<string, number>()
  #keys: SigningKeys | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #keysReadAt = Number.NEGATIVE_INFINITY
  /** A notification may have been missed since the last read started. */
  #missed = true
  #hears = false
  #listening: Promise<StopListening | null> | undefined
  #reading: Promise<void> | undefined

  constructor(services: Context) {
    this.#services = services
  }

  /** Call before verifying a token: waits only when the cache may be out of date. Returns the keys. */
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

  /** Reads the keys again for an unknown key, at most every two seconds. */
  async reloadKeys(): Promise<SigningKeys> {
    if (performance.now() - this.#keysReadAt > UNKNOWN_KEY_REREAD_MS) await this.#readKeys()
    return this.ready()
  }

  /** True when the session is known to have ended. */
  hasEnded(sessionId: string): boolean {
    return this.#ended.has(sessionId)
  }

  /** True when the account changed after a token was issued, so that its claims may be out of date. */
  hasChanged(accountId: string, issuedAtMs: number): boolean {
    const at = this.#changed.get(accountId)
    return at !== undefined && issuedAtMs <= at
  }

  /**
   * The same, or that cannot be told: a clock that is behind dates a change before the tokens from before it. The account has to be read, which
   * costs a query and is right in any case.
   */
  mayHaveChanged(accountId: string, issuedAtMs: number): boolean {
    return this.hasChanged(accountId, issuedAtMs - CLOCK_JUMP_MS)
  }

  /** Stops listening and waits for a running read, so that the database can be closed. */
  async dispose(): Promise<void> {
    await this.#reading?.catch(() => undefined)
    await (await this.#listening)?.()
  }

  /** Applies immediately what this process ended or changed; the channel will repeat it. */
  note(kind: 'session' | 'account', ids: readonly string[], at: Date): void {
    for (const id of ids) this.hear(`${kind}:${id}:${at.getTime()}`)
  }

  /** Applies immediately what `announceChangedMember` announced. */
  noteMembers(ids: readonly string[], at: Date): void {
    this.note('account', ids, new Date(at.getTime() + CLOCK_SKEW_MS))
  }

  /** Applies a notification. */
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
    if (kind === 'session') this.#ended.set(id, Math.max(at + REMEMBER_MS, this.#ended.get(id) ?? 0))
    else this.#changed.set(id, Math.max(at, this.#changed.get(id) ?? 0))
    if ((this.#ended.size + this.#changed.size) % SWEEP_ABOVE === 0) this.#sweep()
  }

  #sweep(): void {
    const now = this.#services.now().getTime()
    for (const [id, until] of this.#ended) if (until < now) this.#ended.delete(id)
    const oldest = now - REMEMBER_MS
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
          log.warn({ err: error.message }, 'cannot listen for ended sessions: polling every few seconds')
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
    const since = new Date(this.#services.now().getTime() - REMEMBER_MS)
    const notices = await withoutWorkspace(this.#services.db.accounts, (tx) => noticesSince(tx, since)).catch(
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
