import { createHash } from 'node:crypto'
import { ENGINE_VERSION } from '@groundswell/engine/index.ts'
import { z } from 'zod'
import { BudgetExhausted } from '../../../platform/model-provider/provider.ts'
import { loadWindowModels } from '../../models/index.ts'
import { type Answerer, CannotAnswer, type Surroundings } from './answerer.ts'
import { type Generator, labelOf } from './generator.ts'
import type { Answer } from './responses-of.ts'
import { BudgetReached, type TokenMeter } from './token-meter.ts'
import { formatInput, type Window } from './window.ts'

/** Changes when the same cell would be answered otherwise for a reason that is not in its key. */
const CELL_VERSION = 1

const Answered = z.object({ responses: z.array(z.record(z.string(), z.unknown())), members: z.array(z.array(z.int())) })

/** What one generator answered to one window, as it is kept. `usage`: of all its calls, or of the engine; absent where it was not measured. */
export const Cell = z.object({
  answers: z.array(Answered).min(1),
  usage: z.optional(z.object({ calls: z.int(), tokens: z.number(), seconds: z.number() })),
})
export type Cell = z.infer<typeof Cell>

/** Names cells of these generators after everything that their answers depend on: the same name, the same answer. */
export async function cellNames(
  generators: readonly Generator[],
  surroundings: Surroundings,
): Promise<(generator: Generator, window: Window, repeats: number) => string> {
  const encoder = generators.some(usesEncoder) ? ((await surroundings.encodeAll([]))?.space ?? null) : null
  const prompts = generators.every(({ method }) => method === 'built-in')
    ? null
    : await (await loadWindowModels()).promptFingerprint()
  return ({ label: _label, ...generator }, window, repeats) => {
    const made =
      generator.method === 'built-in' ? [generator.llm_model_name === 'words' ? null : encoder] : [encoder, prompts]
    const parts = [CELL_VERSION, ENGINE_VERSION, made, generator, window, repeats]
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)
  }
}

/** Whether it compares statements by vectors of the built-in encoder. */
export const usesEncoder = ({ method, llm_model_name }: Pick<Generator, 'method' | 'llm_model_name'>) =>
  method === 'built-in' && llm_model_name === 'sentences'

/** Whether it calls a language model. */
export const callsModel = ({ method }: Pick<Generator, 'method'>): boolean => method !== 'built-in'

/** The calls and tokens that a cell will take, about. Throws `CannotAnswer` where no model is set up. */
export async function estimateCell(
  answerer: Answerer,
  { generator, window, repeats }: { generator: Generator; window: Window; repeats: number },
): Promise<{ calls: number; tokens: number }> {
  if (!callsModel(generator)) return { calls: 0, tokens: 0 }
  const model = await answerer.model(generator.llm_model_name)
  const { calls, tokens } = await model.estimate(
    window.messages,
    generator.method === 'read-group-review'
      ? { method: 'read' }
      : { method: 'answer', systemPrompt: generator.system_prompt ?? '' },
  )
  return { calls: calls * (1 + repeats), tokens: tokens * (1 + repeats) }
}

/** Has a generator answer a window, and again for each repeat. `timed`: keep how long the engine took; then equal cells differ. */
export async function answerCell(
  answerer: Answerer,
  meter: TokenMeter,
  {
    generator,
    window,
    repeats,
    timed = false,
  }: { generator: Generator; window: Window; repeats: number; timed?: boolean },
): Promise<Cell> {
  const [calls, tokens, began] = [meter.calls, meter.spent, performance.now()]
  const answers: Answer[] = []
  let ofEngine = 0
  for (let repeat = 0; repeat <= repeats; repeat++) {
    const { responses, members, seconds = 0 } = await answerer.answer(generator, window, repeat)
    answers.push({ responses, members })
    ofEngine += seconds
  }
  if (!callsModel(generator)) {
    return timed
      ? { answers, usage: { calls: 0, tokens: 0, seconds: Math.round(ofEngine * 1_000) / 1_000 } }
      : { answers }
  }
  const seconds = Math.round((performance.now() - began) / 100) / 10
  return { answers, usage: { calls: meter.calls - calls, tokens: meter.spent - tokens, seconds } }
}

/** A run of a comparison file, with what grading needs besides: the members of each response, and the repeats. */
export function runOf({ generator, window }: { generator: Generator; window: Window }, { answers, usage }: Cell) {
  const [first, ...repeats] = answers as [Answer, ...Answer[]]
  const { source_id, datetime_from, datetime_to, messages } = window
  const { temperature, reasoning, verbosity, label: _label, ...rest } = generator
  return {
    generator: {
      label: labelOf(generator),
      ...rest,
      llm_temperature: temperature,
      llm_reasoning: reasoning,
      llm_verbosity: verbosity,
    },
    source_id,
    datetime_from,
    datetime_to,
    formatted_user_input: formatInput(messages),
    ...first,
    ...(repeats.length > 0 ? { repeats } : {}),
    ...(usage ? { usage } : {}),
  }
}

/** Why a cell has no answer, and whether others may still get one. Null: not a failure of a generator. */
export function reasonOf(error: unknown): { text: string; continues: boolean } | null {
  if (error instanceof CannotAnswer) return { text: error.message, continues: true }
  if (error instanceof BudgetReached) return { text: error.message, continues: false }
  if (error instanceof BudgetExhausted) {
    const text =
      'Today’s token budget for evaluation is used up. Resume it tomorrow (UTC), or have LLM_TOKENS_PER_DAY raised.'
    return { text, continues: false }
  }
  // Known by its name, since its module loads the model client.
  if (error instanceof Error && error.name === 'ProviderMissing') return { text: error.message, continues: false }
  if (!(error instanceof Error) || !('kind' in error) || !('charged' in error)) return null
  const text = `The language model did not answer: ${error.message}.`
  return { text, continues: error.kind === 'rejected' }
}
