import type { SentenceEncoder } from '@groundswell/engine/index.ts'
import type { LlmSettings } from '../../../platform/config/model-settings.ts'
import { type LabelledMessage, parseLabelled } from './labelled.ts'
import type { Estimate, Prepared, Trial } from './try-model.ts'

/** Trying a model on labelled messages: grouping them without it, then what it will take, then its score. Nothing is loaded before. */
type Trials = {
  /** Throws an `Error` that names the first line that is wrong. */
  parse: (content: string) => LabelledMessage[]
  prepare(messages: readonly LabelledMessage[], encoder: SentenceEncoder | null): Prepared
  estimate(prepared: Prepared): Estimate
  run(prepared: Prepared, onCall: (calls: number) => void): Promise<Trial>
}

/** Loads the model of the settings. Throws `ProviderMissing`. */
export async function openTrials(settings: LlmSettings): Promise<Trials> {
  const { openModel } = await import('../language-model.ts')
  const { estimateTrial, prepareTrial, tryModel } = await import('./try-model.ts')
  const call = await openModel(settings)
  const { signal } = new AbortController()
  return {
    parse: parseLabelled,
    prepare: prepareTrial,
    estimate: estimateTrial,
    run: (prepared, onCall) => tryModel(prepared, call, { signal, onCall }),
  }
}
