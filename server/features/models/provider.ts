import { generateText, type LanguageModel, NoObjectGeneratedError, Output } from 'ai'
import type { z } from 'zod'
import type { LlmSettings } from '../../platform/config/config.ts'
import { ModelFailure } from './failure.ts'
import { guardedFetch } from './guarded-fetch.ts'

/** A text of the model, whatever it is worth. `tokens`: what the provider says was used; null when it does not say. */
type Answer = { text: string; tokens: number | null }

/** `schema`: the form that the answer is asked for in; whether it has it is for the caller to see. */
export type Question = { instructions: string; message: string; schema: z.ZodType }

/** Asks the model once. Throws `ModelFailure`, and the signal's reason when that ended the call. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>

/** The package of a provider is not installed, or is none; the message says what to do. */
export class ProviderMissing extends Error {
  override name = 'ProviderMissing'
}

type Fetch = typeof globalThis.fetch
type Create = (options: { name: string; baseURL?: string; apiKey?: string; fetch: Fetch }) => {
  languageModel(id: string): LanguageModel
}

/** The answer is short; what a model thinks aloud before it counts too. */
export const MAX_OUTPUT_TOKENS = 1500
const CALL_MS = 60_000
const MAX_BODY_LENGTH = 256 * 1024
const TOKENS_BELIEVED = 1_000_000_000

/**
 * The most tokens that a call can use: no tokeniser makes more tokens than there are bytes, and the form around the two
 * messages is small.
 */
export function mostTokens({ instructions, message }: Pick<Question, 'instructions' | 'message'>): number {
  return Buffer.byteLength(instructions) + Buffer.byteLength(message) + 200 + MAX_OUTPUT_TOKENS
}

/** Loads the provider that the settings name. Throws `ProviderMissing` in words. */
export async function openModel(
  settings: LlmSettings,
  options: { load?: (name: string) => Promise<unknown>; callMs?: number; now?: () => Date } = {},
): Promise<Ask> {
  const create = await loadProvider(settings.provider, options.load ?? ((name) => import(name)))
  // Its warnings go to the console, past our log.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const { callMs = CALL_MS, now = () => new Date() } = options
  return async (question, stop) => {
    const ended = AbortSignal.timeout(callMs)
    const seen: Seen = { failure: null }
    const provider = create({
      name: 'model',
      baseURL: settings.url,
      apiKey: settings.key,
      fetch: watchedFetch(seen, now),
    })
    try {
      return await generate(provider.languageModel(settings.model), question, AbortSignal.any([stop, ended]))
    } catch {
      stop.throwIfAborted()
      if (seen.failure) throw seen.failure
      if (ended.aborted) {
        throw new ModelFailure('unavailable', `it did not answer within ${callMs / 1000} s`, { charged: true })
      }
      throw new ModelFailure('rejected', 'it answers something that is no answer of a model', { charged: true })
    }
  }
}

async function generate(model: LanguageModel, question: Question, abortSignal: AbortSignal): Promise<Answer> {
  try {
    const { text, usage } = await generateText({
      model,
      instructions: question.instructions,
      prompt: question.message,
      output: Output.object({ schema: question.schema }),
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      maxRetries: 0,
      abortSignal,
      telemetry: { isEnabled: false },
    })
    return { text, tokens: tokensOf(usage) }
  } catch (error) {
    if (!NoObjectGeneratedError.isInstance(error)) throw error
    return { text: error.text ?? '', tokens: tokensOf(error.usage) }
  }
}

async function loadProvider(provider: string, load: (name: string) => Promise<unknown>): Promise<Create> {
  if (provider === 'openai-compatible') {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return (options) => createOpenAICompatible({ ...options, baseURL: options.baseURL ?? '' })
  }
  const name = `@ai-sdk/${provider}`
  let found: Record<string, unknown>
  try {
    found = { ...((await load(name)) as object) }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') {
      throw new ProviderMissing(`LLM_PROVIDER is ${provider}, and its package ${name} cannot be loaded.`)
    }
    throw new ProviderMissing(
      `LLM_PROVIDER is ${provider}, and its package is not installed: run npm install --no-save ${name}`,
    )
  }
  const wanted = `create${provider.replaceAll('-', '')}`.toLowerCase()
  const makers = Object.keys(found).filter((key) => /^create[A-Z]/.test(key) && typeof found[key] === 'function')
  const maker = makers.find((key) => key.toLowerCase() === wanted) ?? makers.find((key) => /^create[A-Z]/.test(key))
  if (maker === undefined)
    throw new ProviderMissing(`LLM_PROVIDER is ${provider}, and ${name} is no provider of models.`)
  return found[maker] as Create
}

type Seen = { failure: ModelFailure | null }

/** The guarded `fetch` for one call. What went wrong is noted here, before a library can word it. */
function watchedFetch(seen: Seen, now: () => Date): Fetch {
  return async (input, init) => {
    try {
      return await guardedFetch(input, init, { longestBody: MAX_BODY_LENGTH, now })
    } catch (error) {
      if (error instanceof ModelFailure) seen.failure = error
      throw error
    }
  }
}

function tokensOf(usage: { inputTokens?: number; outputTokens?: number } | undefined): number | null {
  const total = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
  return Number.isSafeInteger(total) && total > 0 ? Math.min(total, TOKENS_BELIEVED) : null
}
