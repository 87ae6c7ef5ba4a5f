import { Answerer, CannotAnswer, type Surroundings } from '../generators/answerer.ts'
import type { Generator } from '../generators/generator.ts'
import { TokenMeter } from '../generators/token-meter.ts'
import type { Window } from '../generators/window.ts'
import type { Outcome } from './baseline.ts'
import { type Case, contentOf } from './case.ts'
import { gradeCase } from './grade-case.ts'

type RunOptions = {
  surroundings: Surroundings
  /** Tokens. */
  budget: number | null
  onCase?: (done: number, all: number) => void
}

/**
 * Has a generator answer each case separately, and grades the answers. An answer of a model that cannot be used has failed. Throws `CannotAnswer` where the
 * generator cannot be used at all, `BudgetReached`, and as the calls of a model do.
 */
export async function runCases(
  cases: readonly Case[],
  generator: Generator,
  { surroundings, budget, onCase }: RunOptions,
): Promise<{ outcomes: Outcome[]; tokens: number }> {
  const meter = new TokenMeter(budget)
  const answerer = new Answerer(surroundings, meter)
  const windows = cases.map(windowOf)
  if (generator.method !== 'built-in') await answerer.model(generator.llm_model_name)
  else if (generator.llm_model_name === 'sentences') await answerer.prepare(windows)
  const outcomes: Outcome[] = []
  for (const [at, one] of cases.entries()) {
    surroundings.signal.throwIfAborted()
    const { id, kind } = one
    const graded = await answerer
      .answer(generator, windows[at] as Window, 0)
      .then((answer) => gradeCase(one, answer))
      .catch((error: unknown) => {
        if (error instanceof CannotAnswer) return { passed: false, reason: error.message }
        throw error
      })
    const outcome = graded ?? { passed: null, reason: 'this generator reads no messages' }
    outcomes.push({ id, kind, content: contentOf(one), ...outcome })
    onCase?.(at + 1, cases.length)
  }
  return { outcomes, tokens: meter.spent }
}

function windowOf({ id, messages }: Case): Window {
  return {
    // The engine's groupings are kept by source and time.
    source_id: id,
    datetime_from: '',
    datetime_to: '',
    messages: messages.map((message) => ({ ...message, source: id })),
  }
}
