import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import { EncoderUnavailable, encoderOf } from '../../platform/encoder/encoder.ts'
import type { Services } from '../../platform/services.ts'
import { allWorkspaces } from '../../platform/sweep/store.ts'
import type { Finding } from '../checkup/index.ts'
import { builtinSpace } from './models/builtin-embedder.ts'
import { modelOf } from './models/embedder.ts'
import * as store from './store.ts'

/** Short texts, enough to measure its speed within a second or two. */
const SAMPLE = Array.from(
  { length: 100 },
  (_, index) => `The export of report ${index} stops after the first thousand rows.`,
)
const TIME_LIMIT_MS = 60_000

/**
 * Checks whether the built-in encoder works, and reports its speed and how many vectors it has computed. Starts its process. `timeLimitMs`: how
 * long it may take.
 */
export async function checkEncoder(
  services: Services,
  { timeLimitMs = TIME_LIMIT_MS }: { timeLimitMs?: number } = {},
): Promise<Finding[]> {
  const encoder = encoderOf(services)
  if (!encoder) return [{ state: 'ok', what: 'The built-in sentence encoder is switched off.' }]
  try {
    const { name } = await encoder.model()
    const signal = AbortSignal.timeout(timeLimitMs)
    await encoder.encode(['hello'], { signal })
    const began = performance.now()
    await encoder.encode(SAMPLE, { signal })
    const perSecond = Math.round((SAMPLE.length * 1000) / (performance.now() - began))
    const what = `The built-in sentence encoder ${name} works: about ${perSecond} short texts per second at present.`
    return [{ state: 'ok', what }, await countAll(services)]
  } catch (error) {
    if (error instanceof EncoderUnavailable) {
      return [
        {
          state: 'notice',
          what: `The built-in sentence encoder cannot be used: ${error.message}.`,
          advice: 'Everything works without it. docs/embeddings.md says what it is for and how to install its model.',
        },
      ]
    }
    return [
      {
        state: 'notice',
        what: `The built-in sentence encoder did not answer within ${timeLimitMs / 1000} s.`,
        advice:
          'It works at the lowest priority: on a busy machine it may take long. Messages are grouped by words until then.',
      },
    ]
  }
}

async function countAll(services: Services): Promise<Finding> {
  const space = (await builtinSpace(services)) ?? ''
  let [done, total] = [0, 0]
  for (const id of await withoutWorkspace(services.db, allWorkspaces)) {
    const { embedded, statements } = await inWorkspace(services.db, id, (tx) => store.countVectors(tx, id, space))
    done += embedded
    total += statements
  }
  return { state: 'ok', what: `Statements with a vector of ${modelOf(space)}: ${done} of ${total}.` }
}
