import { type Grouping, group, type SentenceEncoder, type SplitItem, textsToEncode } from '@groundswell/engine/index.ts'
import type { LlmSettings } from '../../../platform/config/model-settings.ts'
import { loadWindowModels, type Sampling, type WindowModel } from '../../models/index.ts'
import { quotesOf } from '../quotes.ts'
import type { Generator } from './generator.ts'
import { RESPONSE_CLASSES } from './response-classes.ts'
import { type Answer, answerOf } from './responses-of.ts'
import type { TokenMeter } from './token-meter.ts'
import type { Window, WindowMessage } from './window.ts'

/** The services that generators need. Vectors are null where the encoder is off. */
export type Surroundings = {
  llm: LlmSettings | undefined
  /** of the texts that the engine compares; of no text: to learn the encoder's name */
  encodeAll: (texts: readonly string[]) => Promise<SentenceEncoder | null>
  /** of the encoder without our adapter, with which replies of a model are checked */
  encode: (texts: readonly string[]) => Promise<readonly Float32Array[] | null>
  /** Groups elsewhere than in this thread. Default: here. */
  group?: (items: SplitItem[], options: { encoder?: SentenceEncoder }) => Promise<Grouping>
  signal: AbortSignal
}

/** A generator that cannot be used here, or whose answer cannot be used; the message says why. */
export class CannotAnswer extends Error {
  override name = 'CannotAnswer'
}

/** Lets generators answer windows. What generators have in common is done once: the built-in groups, and opening a model. */
export class Answerer {
  readonly #surroundings: Surroundings
  readonly #meter: TokenMeter
  readonly #groupings = new Map<string, Promise<{ grouping: Grouping; seconds: number }>>()
  readonly #models = new Map<string, Promise<WindowModel>>()
  #encoder: SentenceEncoder | null = null
  /** What encoding took for one window, on average. */
  #encodingSeconds = 0

  constructor(surroundings: Surroundings, meter: TokenMeter) {
    this.#surroundings = surroundings
    this.#meter = meter
  }

  /** Encodes the messages that generators of sentences will compare, in one go. Throws `CannotAnswer` where the encoder is off. */
  async prepare(windows: readonly Window[]): Promise<void> {
    const texts = windows.flatMap(({ messages }) => textsToEncode(itemsOf(messages)))
    const began = performance.now()
    this.#encoder = await this.#surroundings.encodeAll([...new Set(texts)])
    this.#encodingSeconds = secondsSince(began) / Math.max(1, windows.length)
    if (!this.#encoder) throw new CannotAnswer('The model "sentences" needs the built-in encoder, which is off here.')
  }

  /** `repeat` from 0: the engine gets the messages in another order each time; a model is asked again. */
  async answer(generator: Generator, window: Window, repeat: number): Promise<Answer> {
    const items = itemsOf(window.messages)
    if (generator.method === 'built-in') {
      const { grouping, seconds } = await this.#grouping(generator.llm_model_name, window, items, repeat)
      return { ...answerOf(grouping, items, generator), seconds }
    }
    const model = await this.model(generator.llm_model_name)
    const sampling = samplingOf(generator)
    const { signal, encode, encodeAll } = this.#surroundings
    if (generator.method === 'read-group-review') {
      const read = await model.read(items, { sampling, signal, encode, encodeAll })
      return {
        ...answerOf(read.grouping, read.items, generator),
        read: read.items.map(({ points = [] }) => points.map(({ point }) => point)),
      }
    }
    const schema = RESPONSE_CLASSES[generator.response_class]
    const how = { systemPrompt: generator.system_prompt ?? '', schema, sampling, signal }
    const responses = (await model.answer(window.messages, how)) ?? (await model.answer(window.messages, how))
    if (!responses) throw new CannotAnswer('The reply is not in the requested form, twice.')
    return { responses, members: responses.map((one) => membersOf(one, window.messages)) }
  }

  /** The model of the settings under another name. Throws `CannotAnswer` where there are no settings. */
  model(name: string): Promise<WindowModel> {
    const { llm } = this.#surroundings
    if (!llm) throw new CannotAnswer('No language model is set up: set LLM_MODEL and LLM_URL (docs/models.md).')
    const known = this.#models.get(name)
    if (known) return known
    const opened = loadWindowModels().then(({ openWindowModel }) =>
      openWindowModel({ ...llm, model: name }, (maxTokens, call) => this.#meter.spend(maxTokens, call)),
    )
    this.#models.set(name, opened)
    return opened
  }

  #grouping(
    model: string,
    window: Window,
    items: SplitItem[],
    repeat: number,
  ): Promise<{ grouping: Grouping; seconds: number }> {
    const { source_id, datetime_from, datetime_to } = window
    const key = JSON.stringify([model, source_id, datetime_from, datetime_to, repeat])
    const known = this.#groupings.get(key)
    if (known) return known
    const encoder = model === 'sentences' ? this.#encoder : null
    const { group: groupElsewhere } = this.#surroundings
    const ordered = repeat === 0 ? items : shuffled(items, repeat)
    const options = encoder ? { encoder } : {}
    const make = async () => {
      const began = performance.now()
      const grouping = await (groupElsewhere ? groupElsewhere(ordered, options) : group(ordered, options))
      // Vectors are made once for all repeats.
      const encoding = encoder && repeat === 0 ? this.#encodingSeconds : 0
      return { grouping, seconds: secondsSince(began) + encoding }
    }
    const made = make()
    this.#groupings.set(key, made)
    return made
  }
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1_000
}

function itemsOf(messages: readonly WindowMessage[]): SplitItem[] {
  return messages.map(({ id, text, author, at, thread }) => ({
    id,
    text,
    at,
    ...(author === null ? {} : { author }),
    ...(thread === undefined ? {} : { thread }),
  }))
}

function samplingOf({ temperature, reasoning, verbosity }: Generator): Sampling {
  return {
    ...(temperature === null ? {} : { temperature }),
    ...(reasoning === null ? {} : { reasoning }),
    ...(verbosity === null ? {} : { verbosity }),
  }
}

/** The messages that hold a quote of the response. */
function membersOf(response: Record<string, unknown>, messages: readonly WindowMessage[]): number[] {
  const quotes = quotesOf(response)
  return messages.flatMap(({ text }, at) => (quotes.some((quote) => quote.isIn(text)) ? [at] : []))
}

/** The same order for the same seed. */
function shuffled<T>(values: readonly T[], seed: number): T[] {
  const mixed = [...values]
  let state = seed >>> 0
  for (let last = mixed.length - 1; last > 0; last--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = Math.floor((state / 2 ** 32) * (last + 1))
    ;[mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T]
  }
  return mixed
}
