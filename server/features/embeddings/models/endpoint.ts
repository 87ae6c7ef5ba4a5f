import { z } from 'zod'
import type { EmbeddingSettings } from '../../../platform/config/model-settings.ts'
import { limitedFetch, withTimeLimit } from '../../../platform/model-provider/http.ts'
import { checkedVectors, type Embedder, malformed, spaceOf } from './embedder.ts'

const Reply = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })),
  usage: z.object({ total_tokens: z.int().nonnegative() }).optional().catch(undefined),
})

const TIME_LIMIT_MS = 30_000
/** 64 vectors of 8,192 decimal numbers. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

/** A model behind `/embeddings` of an OpenAI-compatible server, at the operator's address and nowhere else. */
export function openEndpoint(
  settings: EmbeddingSettings & { url: string },
  options: { timeLimitMs?: number; now?: () => Date } = {},
): Embedder {
  const { timeLimitMs = TIME_LIMIT_MS, now = () => new Date() } = options
  const { url, key, model } = settings
  return {
    space: spaceOf(settings),
    embed: (texts, stop, report) =>
      withTimeLimit(stop, timeLimitMs, async (signal) => {
        const body = JSON.stringify({ model, input: texts, encoding_format: 'float' })
        const headers = {
          'content-type': 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        }
        const init = { method: 'POST', headers, body, signal }
        const response = await limitedFetch(`${url}/embeddings`, init, { maxBodyBytes: MAX_BODY_BYTES, now })
        const { data, usage } = parse(await response.text())
        if (usage) report?.(usage.total_tokens)
        return vectorsOf(data, texts.length)
      }),
  }
}

/** Servers may return vectors in any order, with their indices. */
function vectorsOf(data: z.infer<typeof Reply>['data'], texts: number): Float32Array[] {
  if (data.length !== texts) throw malformed(`it returned ${data.length} vectors for ${texts} texts`)
  const rows: number[][] = []
  for (const { index, embedding } of data) {
    if (index < 0 || index >= texts || rows[index]) throw malformed('it returned vectors with wrong indices')
    rows[index] = embedding
  }
  return checkedVectors(rows, texts)
}

function parse(body: string): z.infer<typeof Reply> {
  try {
    return Reply.parse(JSON.parse(body))
  } catch {
    throw malformed('the response is not an embedding reply')
  }
}
