import { createHash } from 'node:crypto'
import { ENGINE_VERSION } from '@groundswell/engine/index.ts'
import { z } from 'zod'
import { loadWindowModels } from '../../models/index.ts'
import { type Answerer, CannotAnswer, type Surroundings } from './answerer.ts'
import { type Generator, labelOf } from './generator.ts'
import type { Answer } from './responses-of.ts'
import { BudgetReached, type TokenMeter } from './token-meter.ts'
import { formatInput, type Window } from './window.ts'

/** Changes when the same cell would be answered otherwise for a reason that is not in its key. */
const CELL_VERSION = 1

const Answered = z.object({ responses: z.array(z.record(z.string(), z.unknown())), members: z.array(z.array(z.int())) })

/** What one generator answered to one window, as it is kept. `seconds`: of all its calls; absent for a generator that calls no model. */
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

export const usesEncoder = ({ method, llm_model_name }: Pick<Generator, 'method' | 'llm_model_name'>) =>
  method === 'built-in' && llm_model_name === 'sentences'

/** Has a generator answer a window, and again for each repeat. */
export async function answerCell(
  answerer: Answerer,
  meter: TokenMeter,
  { generator, window, repeats }: { generator: Generator; window: Window; repeats: number },
): Promise<Cell> {
  const [calls, tokens, began] = [meter.calls, meter.spent, performance.now()]
  const answers: Answer[] = []
  for (let repeat = 0; repeat <= repeats; repeat++) {
    const { responses, members } = await answerer.answer(generator, window, repeat)
    answers.push({ responses, members })
  }
  if (generator.method === 'built-in') return { answers }
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
  if (!(error instanceof Error) || !('kind' in error) || !('charged' in error)) return null
  const text = `The language model did not answer: ${error.message}.`
  return { text, continues: error.kind === 'rejected' }
}
