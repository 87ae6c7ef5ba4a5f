import { type ModelChoice, ModelMissing, nameOfModel, VERSION } from '@groundswell/encoder/index.ts'
import { defineCache } from '../caches.ts'
import type { Log } from '../log/log.ts'
import type { Services } from '../services.ts'
import type { ChildOptions, UnusableReason } from './protocol.ts'
import { ChildGone, type EncoderChild, startChild, Unusable } from './start-child.ts'

export { LANGUAGES as ENCODER_LANGUAGES } from '@groundswell/encoder/index.ts'

/**
 * `off`: by the operator. `missing`: the weights are. `wrong vectors`: the self-test failed. `crashed`: its process ended during
 * this request, twice. `busy`: too much waits already. `failed`: it could not be started.
 */
export type UnavailableReason = UnusableReason | 'off' | 'crashed' | 'busy'

/** The encoder computes no vectors now. The message says why, for people. */
export class EncoderUnavailable extends Error {
  override name = 'EncoderUnavailable'
  readonly reason: UnavailableReason

  constructor(reason: UnavailableReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** `urgent`: before everything that is not. `signal` ends the wait, with its reason. */
export type EncodeOptions = { signal?: AbortSignal; urgent?: boolean }

/** Which encoder runs, and how long its process is kept. */
export type EncoderOptions = {
  model?: ModelChoice
  log: Pick<Log, 'warn'>
  now: () => Date
  /** How long the process is kept without work. */
  idleMs?: number
  /** See `startChild`. */
  program?: URL
}

type Request = {
  texts: readonly string[]
  vectors: Float32Array[]
  crashes: number
  resolve(vectors: Float32Array[]): void
  reject(error: Error): void
}

const IDLE_MS = 60_000
/** The most that one message to the child holds: an urgent request waits for no more than that. */
const CHUNK = { texts: 64, characters: 4_000 }
/** The most texts that wait, of urgent ones and of the others. */
const MAX_WAITING_TEXTS = 10_000
const MAX_CRASHES = 2
/** An encoder that could not be started is not started again for this long. */
const PAUSE_MS = 10 * 60_000

/**
 * The sentence encoder in its own process. The process starts with the first request and ends when it is idle, so that its
 * memory is returned. If it crashes, it is started again and the request is repeated once. On x64 it starts with V8's
 * revectorizer, and without it when the self-test fails or the process crashes.
 */
export class BackgroundEncoder {
  readonly #options: EncoderOptions
  readonly #urgent: Request[] = []
  readonly #others: Request[] = []
  #child: EncoderChild | undefined
  #name: string | undefined
  #revectorize = process.arch === 'x64'
  #working = false
  readonly #stop = new AbortController()
  #idle: NodeJS.Timeout | undefined
  #trouble: { error: EncoderUnavailable; until: Date } | undefined

  constructor(options: EncoderOptions) {
    this.#options = options
  }

  /**
   * The model, and the version of the code that computes its vectors: vectors can be compared only if both are the same. Starts no process. Throws
   * `EncoderUnavailable` when the folder of the model cannot be read.
   */
  async model(): Promise<{ name: string; version: number }> {
    try {
      this.#name ??= await nameOfModel(this.#options.model)
      return { name: this.#name, version: VERSION }
    } catch (error) {
      if (error instanceof ModelMissing) throw new EncoderUnavailable('missing', error.message)
      throw error
    }
  }

  /** The id of its process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Why the last start failed; null if it did not, or if that was long ago. */
  get trouble(): EncoderUnavailable | null {
    return this.#trouble && this.#trouble.until > this.#options.now() ? this.#trouble.error : null
  }

  /** One vector of length 1 per text, in their order. Throws `EncoderUnavailable`, or the signal's reason. */
  async encode(texts: readonly string[], { signal, urgent = false }: EncodeOptions = {}): Promise<Float32Array[]> {
    signal?.throwIfAborted()
    this.#stop.signal.throwIfAborted()
    if (this.trouble) throw this.trouble
    if (texts.length === 0) return []
    const queue = urgent ? this.#urgent : this.#others
    if (queue.reduce((sum, one) => sum + one.texts.length, texts.length) > MAX_WAITING_TEXTS) {
      throw new EncoderUnavailable('busy', `more than ${MAX_WAITING_TEXTS} texts would wait`)
    }
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>()
    const request: Request = { texts, vectors: [], crashes: 0, resolve, reject }
    const onAbort = () => {
      this.#remove(request)
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', onAbort)
    queue.push(request)
    void this.#work()
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Ends the process. What waits is rejected, and so is every later request. */
  stop(): void {
    const stopped = new EncoderUnavailable('off', 'it was stopped')
    this.#stop.abort(stopped)
    clearTimeout(this.#idle)
    this.#rejectAll(stopped)
  }

  /** Answers requests until none is left. One run at a time. */
  async #work(): Promise<void> {
    if (this.#working) return
    this.#working = true
    clearTimeout(this.#idle)
    for (let request = this.#next(); request; request = this.#next()) await this.#advance(request)
    this.#working = false
    this.#idle = setTimeout(() => this.#end(), this.#options.idleMs ?? IDLE_MS).unref()
  }

  #next(): Request | undefined {
    return this.#urgent[0] ?? this.#others[0]
  }

  /** Computes the next vectors of a request. */
  async #advance(request: Request): Promise<void> {
    const { texts, vectors } = request
    try {
      this.#child ??= await this.#start()
      vectors.push(...(await this.#child.encode(nextChunk(texts.slice(vectors.length)))))
      if (vectors.length < texts.length) return
      request.resolve(vectors)
    } catch (error) {
      if (error instanceof EncoderUnavailable) return this.#rejectAll(error)
      if (error instanceof ChildGone && this.#survives(request, error)) return
      request.reject(
        error instanceof ChildGone
          ? new EncoderUnavailable('crashed', 'its process ended twice while it worked on these texts')
          : (error as Error),
      )
    }
    this.#remove(request)
  }

  /** Whether a request is repeated after the process has ended. */
  #survives(request: Request, { message, isFault }: ChildGone): boolean {
    this.#child = undefined
    if (this.#stop.signal.aborted) return false
    this.#options.log.warn({ err: message }, 'the process of the sentence encoder ended unexpectedly')
    if (isFault) this.#revectorize = false
    request.crashes++
    return request.crashes < MAX_CRASHES
  }

  async #start(): Promise<EncoderChild> {
    const { model = {}, program, log } = this.#options
    for (;;) {
      const options: ChildOptions = { model, revectorize: this.#revectorize }
      try {
        const child = await startChild(options, this.#stop.signal, program)
        if (child.model !== (await this.model()).name) {
          child.end()
          throw new Unusable('failed', 'the files of its model have changed: restart the server')
        }
        this.#trouble = undefined
        return child
      } catch (error) {
        this.#stop.signal.throwIfAborted()
        if (!(error instanceof Unusable) && !(error instanceof ChildGone)) throw error
        const reason = error instanceof Unusable ? error.reason : 'failed'
        if (!this.#revectorize || reason === 'missing') {
          const unavailable = new EncoderUnavailable(reason, error.message)
          this.#trouble = { error: unavailable, until: new Date(this.#options.now().getTime() + PAUSE_MS) }
          throw unavailable
        }
        log.warn({ err: error.message }, "the sentence encoder is started again without V8's revectorizer")
        this.#revectorize = false
      }
    }
  }

  #remove(request: Request): void {
    for (const queue of [this.#urgent, this.#others]) {
      const at = queue.indexOf(request)
      if (at >= 0) queue.splice(at, 1)
    }
  }

  #rejectAll(error: Error): void {
    for (const request of [...this.#urgent.splice(0), ...this.#others.splice(0)]) request.reject(error)
  }

  #end(): void {
    this.#child?.end()
    this.#child = undefined
  }
}

function nextChunk(texts: readonly string[]): string[] {
  const chunk: string[] = []
  let characters = 0
  for (const text of texts.slice(0, CHUNK.texts)) {
    characters += text.length
    if (chunk.length > 0 && characters > CHUNK.characters) break
    chunk.push(text)
  }
  return chunk
}

const encoderKey = defineCache('sentence encoder', open, (encoder) => encoder?.stop())

/** The encoder of this process; null when the operator has switched it off. */
export function encoderOf(services: Pick<Services, 'caches'>): BackgroundEncoder | null {
  return services.caches.of(encoderKey)
}

const baseKey = defineCache('base sentence encoder', openBase, (encoder) => encoder?.stop())

/**
 * The same without our adapter, in a process of its own: it is better at deciding whether a claim was made, and the adapter at deciding what belongs
 * together (record 108). `encoderOf` where that has no adapter.
 */
export function baseEncoderOf(services: Pick<Services, 'caches'>): BackgroundEncoder | null {
  return services.caches.of(baseKey) ?? encoderOf(services)
}

function open({ config, log, now }: Services): BackgroundEncoder | null {
  return config.encoder ? new BackgroundEncoder({ model: config.encoder, log, now }) : null
}

function openBase({ config, log, now }: Services): BackgroundEncoder | null {
  const { encoder } = config
  const isAdapted = encoder && encoder.folder === undefined && encoder.adapter !== false
  return isAdapted ? new BackgroundEncoder({ model: { adapter: false }, log, now }) : null
}
