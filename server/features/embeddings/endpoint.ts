import { z } from 'zod'
import type { EmbeddingSettings } from '../../platform/config/config.ts'
import { guardedFetch, ModelFailure } from '../models/index.ts'
import { checkedVectors, type Embedder, lie, spaceOf } from './embedder.ts'

const Reply = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })),
  usage: z.object({ total_tokens: z.int().nonnegative() }).optional().catch(undefined),
})

const CALL_MS = 30_000
/** 64 vectors of 8,192 numbers in decimals. */
const MAX_BODY_LENGTH = 16 * 1024 * 1024

/** A model behind `/embeddings` of an OpenAI-compatible server: at the operator's address and nowhere else. */
export function openEndpoint(
  settings: EmbeddingSettings & { url: string },
  options: { callMs?: number; now?: () => Date } = {},
): Embedder {
  const { callMs = CALL_MS, now = () => new Date() } = options
  const { url, key, model } = settings
  return {
    space: spaceOf(settings),
    async embed(texts, stop, used) {
      const ended = AbortSignal.timeout(callMs)
      const body = JSON.stringify({ model, input: texts, encoding_format: 'float' })
      const headers = {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      }
      try {
        const init = { method: 'POST', headers, body, signal: AbortSignal.any([stop, ended]) }
        const response = await guardedFetch(`${url}/embeddings`, init, { longestBody: MAX_BODY_LENGTH, now })
        const { data, usage } = parse(await response.text())
        if (usage) used?.(usage.total_tokens)
        return vectorsOf(data, texts.length)
      } catch (error) {
        stop.throwIfAborted()
        if (error instanceof ModelFailure) throw error
        if (!ended.aborted) throw error
        throw new ModelFailure('unavailable', `it did not answer within ${callMs / 1000} s`, { charged: true })
      }
    },
  }
}

/** Servers may answer in any order, and say which is which. */
function vectorsOf(data: z.infer<typeof Reply>['data'], texts: number): Float32Array[] {
  if (data.length !== texts) throw lie(`it gives ${data.length} vectors for ${texts} texts`)
  const rows: number[][] = []
  for (const { index, embedding } of data) {
    if (index < 0 || index >= texts || rows[index]) throw lie('it does not say which vector is of which text')
    rows[index] = embedding
  }
  return checkedVectors(rows, texts)
}

function parse(body: string): z.infer<typeof Reply> {
  try {
    return Reply.parse(JSON.parse(body))
  } catch {
    throw lie('it answers something that is no answer of an embedding model')
  }
}
