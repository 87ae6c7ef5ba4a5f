import { generateText, type LanguageModel, NoObjectGeneratedError, Output } from 'ai'
import type { z } from 'zod'
import type { LlmSettings } from '../../platform/config/model-settings.ts'
import { ModelFailure } from '../../platform/model-provider/failure.ts'
import { limitedFetch, withTimeLimit } from '../../platform/model-provider/http.ts'

/** The model's text, unchecked. `tokens`: what the provider reports as used; null when it reports nothing. */
type Reply = { text: string; tokens: number | null }

/** Sampling parameters; absent ones are left to the provider. Temperatures are from 0 to 2. */
export type Sampling = { temperature?: number; reasoning?: Reasoning; verbosity?: 'low' | 'medium' | 'high' }
type Reasoning = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'

/** `schema`: the form requested from the model. The caller has to check the reply against it. `maxOutputTokens`: by default `MAX_OUTPUT_TOKENS`. */
export type Prompt = {
  instructions: string
  message: string
  schema: z.ZodType
  maxOutputTokens?: number | undefined
  sampling?: Sampling | undefined
}

/** Calls the model once. Throws `ModelFailure`, or the signal's reason when that ended the call. */
export type CallModel = (prompt: Prompt, signal: AbortSignal) => Promise<Reply>

/** A provider's package is not installed or exports no provider; the message says what to do. */
export class ProviderMissing extends Error {
  override name = 'ProviderMissing'
}

type Fetch = typeof globalThis.fetch
type Create = (options: { name: string; baseURL?: string; apiKey?: string; fetch: Fetch }) => {
  languageModel(id: string): LanguageModel
}

/** Replies are short, but a reasoning model's thinking counts too. */
export const MAX_OUTPUT_TOKENS = 1500
const TIME_LIMIT_MS = 60_000
const MAX_BODY_BYTES = 256 * 1024
/** What surrounds the two messages in a request. */
const OVERHEAD_TOKENS = 200

/** The most tokens that a call can use: no tokeniser makes more tokens than there are bytes. */
export function maxTokensOf({
  instructions,
  message,
  maxOutputTokens = MAX_OUTPUT_TOKENS,
}: Pick<Prompt, 'instructions' | 'message' | 'maxOutputTokens'>): number {
  return Buffer.byteLength(instructions) + Buffer.byteLength(message) + OVERHEAD_TOKENS + maxOutputTokens
}

/** Loads the provider named in the settings. Throws `ProviderMissing`. */
export async function openModel(
  settings: LlmSettings,
  options: { load?: (name: string) => Promise<unknown>; timeLimitMs?: number; now?: () => Date } = {},
): Promise<CallModel> {
  const create = await loadProvider(settings.provider, options.load ?? ((name) => import(name)))
  // The library would print its warnings to the console, bypassing our log.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const { timeLimitMs = TIME_LIMIT_MS, now = () => new Date() } = options
  return (prompt, stop) =>
    withTimeLimit(stop, timeLimitMs, async (signal) => {
      const failures: ModelFailure[] = []
      const fetch = recordingFetch(failures, now)
      const provider = create({ name: 'model', baseURL: settings.url, apiKey: settings.key, fetch })
      try {
        return await generate(provider.languageModel(settings.model), prompt, signal)
      } catch (error) {
        if (signal.aborted) throw error
        const [failure] = failures
        throw failure ?? new ModelFailure('rejected', 'the response is not a model reply', { charged: true })
      }
    })
}

async function generate(model: LanguageModel, prompt: Prompt, abortSignal: AbortSignal): Promise<Reply> {
  const { temperature, reasoning, verbosity } = prompt.sampling ?? {}
  try {
    const { text, usage } = await generateText({
      model,
      instructions: prompt.instructions,
      prompt: prompt.message,
      output: Output.object({ schema: prompt.schema }),
      maxOutputTokens: prompt.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
      ...(temperature === undefined ? {} : { temperature }),
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(verbosity === undefined
        ? {}
        : { providerOptions: { model: { textVerbosity: verbosity }, openai: { textVerbosity: verbosity } } }),
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
  const expected = `create${provider.replaceAll('-', '')}`.toLowerCase()
  const factories = Object.keys(found).filter((key) => /^create[A-Z]/.test(key) && typeof found[key] === 'function')
  const factory = factories.find((key) => key.toLowerCase() === expected) ?? factories[0]
  if (factory === undefined) {
    throw new ProviderMissing(`LLM_PROVIDER is ${provider}, and ${name} is not a model provider.`)
  }
  return found[factory] as Create
}

/** `fetch` that records failures before the library can wrap them in its own error. */
function recordingFetch(failures: ModelFailure[], now: () => Date): Fetch {
  return async (input, init) => {
    try {
      return await limitedFetch(input, init, { maxBodyBytes: MAX_BODY_BYTES, now })
    } catch (error) {
      if (error instanceof ModelFailure) failures.push(error)
      throw error
    }
  }
}

function tokensOf(usage: { inputTokens?: number; outputTokens?: number } | undefined): number | null {
  const total = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
  return Number.isSafeInteger(total) && total > 0 ? total : null
}
