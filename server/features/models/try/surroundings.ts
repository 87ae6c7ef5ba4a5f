import type { SentenceEncoder } from '@groundswell/engine/index.ts'
import type { Encode } from '../encoder.ts'
import type { CallModel, Prompt } from '../language-model.ts'

/** What one kind of call took. `tokens`: as the provider reported, 0 if it did not; `refused`: replies that were not believed. */
export type Calls = { calls: number; tokens: number; refused: number }

/** What a trial needs of its surroundings. `encodeAll`: the vectors to group with; null: words are compared. */
export type Surroundings = {
  call: CallModel
  encode: Encode
  encodeAll: (texts: readonly string[]) => Promise<SentenceEncoder | null>
  signal: AbortSignal
  onCall?: (calls: number) => void
}

/** Calls the model and counts. */
export async function ask(
  { call, signal, onCall }: Pick<Surroundings, 'call' | 'signal' | 'onCall'>,
  prompt: Prompt,
  count: Calls,
): Promise<string> {
  const { text, tokens } = await call(prompt, signal)
  count.calls++
  count.tokens += tokens ?? 0
  onCall?.(count.calls)
  return text
}
