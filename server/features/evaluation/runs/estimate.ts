import { ContractError } from '@groundswell/contract/errors.ts'
import type { Grading, RunPlan } from '@groundswell/contract/evaluation/runs.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { tokensLeft } from '../../models/index.ts'
import { estimateJudging } from '../evaluators/judge.ts'
import { openJudges } from '../evaluators/open-judges.ts'
import { Answerer } from '../generators/answerer.ts'
import { Cell, callsModel, cellNames, estimateCell, reasonOf } from '../generators/cell.ts'
import { TokenMeter } from '../generators/token-meter.ts'
import { planRun, refused } from './plan.ts'
import { knownAnswers, readAnswers, readWindowMessages, type StoredRun } from './run-store.ts'
import { surroundingsOf } from './surroundings.ts'

type Use = { calls: number; tokens: number; tokens_left: number | null }

/** What a plan would take. Sends nothing. Throws `invalid_input`. */
export async function estimateRun(
  services: Services,
  workspaceId: string,
  plan: RunPlan,
  signal: AbortSignal,
): Promise<{ messages: number; windows: number; answers: number; made: number } & Use> {
  const { generators, windows } = await planRun(services, workspaceId, plan)
  const surroundings = surroundingsOf(services, signal)
  const nameOf = await cellNames(generators, surroundings)
  const cells = generators.flatMap((generator) =>
    windows.map((window) => ({
      generator,
      window,
      repeats: plan.repeats,
      key: nameOf(generator, window, plan.repeats),
    })),
  )
  const keys = cells.map(({ key }) => key)
  const known = await inWorkspace(services.db, workspaceId, (tx) => knownAnswers(tx, workspaceId, keys))
  const answerer = new Answerer(surroundings, new TokenMeter(0))
  const use = { calls: 0, tokens: 0 }
  try {
    for (const cell of cells) {
      if (known.has(cell.key)) continue
      signal.throwIfAborted()
      const { calls, tokens } = await estimateCell(answerer, cell)
      use.calls += calls
      use.tokens += tokens
    }
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === null ? error : refused('model_generators', reason.text)
  }
  return {
    messages: windows.reduce((sum, { messages }) => sum + messages.length, 0),
    windows: windows.length,
    answers: cells.length,
    made: keys.filter((key) => known.has(key)).length,
    ...use,
    tokens_left: generators.some(callsModel) ? await tokensLeft(services) : null,
  }
}

/** What grading a run would take. Sends nothing. Throws `invalid_input`. */
export async function estimateGrading(
  services: Services,
  workspaceId: string,
  run: StoredRun,
  { judges: names, repeats }: Grading,
  signal: AbortSignal,
): Promise<{ answers: number } & Use> {
  checkJudges(services, names)
  const { answers, messages } = await inWorkspace(services.db, workspaceId, async (tx) => ({
    answers: await readAnswers(tx, workspaceId, run.id),
    messages: await readWindowMessages(tx, workspaceId, run.id),
  }))
  const cells = answers.flatMap(({ number, answer }) => {
    const cell = Cell.safeParse(answer)
    return cell.success ? [{ number, responses: cell.data.answers[0]?.responses ?? [] }] : []
  })
  const use = { calls: 0, tokens: 0 }
  try {
    for (const { model } of await openJudges(names, surroundingsOf(services, signal), 0)) {
      for (const { number, responses } of cells) {
        signal.throwIfAborted()
        const texts = (messages.get(number) ?? []).map(({ text }) => text)
        const { calls, tokens } = await estimateJudging(model, { texts, responses }, repeats)
        use.calls += calls
        use.tokens += tokens
      }
    }
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === null ? error : refusedJudges(reason.text)
  }
  return { answers: cells.length, ...use, tokens_left: names.length > 0 ? await tokensLeft(services) : null }
}

/** Throws `invalid_input` where these models cannot be judges. */
export function checkJudges({ config }: Pick<Services, 'config'>, names: readonly string[]): void {
  if (names.length > 0 && !config.llm) throw refusedJudges('the server has no language model')
  if (new Set(names).size < names.length) throw refusedJudges('must be two different models')
}

function refusedJudges(why: string): ContractError {
  return new ContractError('invalid_input', `This run cannot be graded: ${why}`, { judges: why })
}
