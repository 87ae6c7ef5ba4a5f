import type { SentenceEncoder } from '@groundswell/engine/index.ts'
import type { LlmSettings } from '../../../platform/config/model-settings.ts'
import { type LabelledMessage, parseLabelled } from './labelled.ts'
import type { Surroundings } from './surroundings.ts'
import type { Estimate, Prepared, Trial } from './try-model.ts'
import type { ReadingTrial } from './try-reading.ts'

/** Trying a model on labelled messages: grouping them without it, then what it will take, then its score. Nothing is loaded before. */
type Trials = {
  /** Throws an `Error` that names the first line that is wrong. */
  parse: (content: string) => LabelledMessage[]
  prepare(messages: readonly LabelledMessage[], encoder: SentenceEncoder | null): Prepared
  estimate(prepared: Prepared): Estimate
  run(prepared: Prepared, onCall: (calls: number) => void): Promise<Trial>
  /** What reading the messages will take. */
  estimateReading(messages: readonly LabelledMessage[]): Promise<{ calls: number; tokens: number }>
  /** What reviewing and naming will take, as the messages are grouped unread. */
  estimateReviews(
    messages: readonly LabelledMessage[],
    encoder: SentenceEncoder | null,
  ): Promise<{ insights: number; calls: number; tokens: number }>
  /** About how many tokens the name of an insight takes. */
  tokensPerName: number
  /** Reads the messages, and reviews and names the insights that come of it. */
  read(
    messages: readonly LabelledMessage[],
    how: Pick<Surroundings, 'encode' | 'encodeAll' | 'onCall'>,
  ): Promise<ReadingTrial>
}

/** Loads the model of the settings. Throws `ProviderMissing`. */
export async function openTrials(settings: LlmSettings): Promise<Trials> {
  const { openModel } = await import('../language-model.ts')
  const { estimateTrial, prepareTrial, tryModel } = await import('./try-model.ts')
  const { estimateReading, estimateReviews, TOKENS_PER_NAME } = await import('./count-tokens.ts')
  const { tryReading } = await import('./try-reading.ts')
  const call = await openModel(settings)
  const { signal } = new AbortController()
  return {
    parse: parseLabelled,
    prepare: prepareTrial,
    estimate: estimateTrial,
    run: (prepared, onCall) => tryModel(prepared, call, { signal, onCall }),
    estimateReading,
    estimateReviews: (messages, encoder) =>
      estimateReviews(
        messages.map(({ label: _label, ...item }) => item),
        encoder,
      ),
    tokensPerName: TOKENS_PER_NAME,
    read: (messages, how) => tryReading(messages, { ...how, call, signal }),
  }
}
