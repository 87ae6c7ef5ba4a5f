import { MAX_JUDGES } from '@groundswell/contract/evaluation/runs.ts'
import { Answerer, type Surroundings } from '../generators/answerer.ts'
import { TokenMeter } from '../generators/token-meter.ts'
import type { Judge } from './grade-run.ts'

/** The judges of these names, which share a budget of tokens, or the meter of their run. Throws `CannotAnswer` where no model is set up. */
export async function openJudges(
  names: readonly string[],
  surroundings: Surroundings,
  budget: TokenMeter | number | null,
): Promise<Judge[]> {
  const answerer = new Answerer(surroundings, budget instanceof TokenMeter ? budget : new TokenMeter(budget))
  const judges: Judge[] = []
  for (const name of names.slice(0, MAX_JUDGES)) judges.push({ name, model: await answerer.model(name) })
  return judges
}
