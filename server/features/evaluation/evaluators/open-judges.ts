import { Answerer, type Surroundings } from '../generators/answerer.ts'
import { TokenMeter } from '../generators/token-meter.ts'
import type { Judge } from './grade-run.ts'

/** At most two, so that their agreement is that of a pair. */
const MAX_JUDGES = 2

/** The judges of these names, which share a budget of tokens. Throws `CannotAnswer` where no model is set up. */
export async function openJudges(
  names: readonly string[],
  surroundings: Surroundings,
  budget: number | null,
): Promise<Judge[]> {
  const answerer = new Answerer(surroundings, new TokenMeter(budget))
  const judges: Judge[] = []
  for (const name of names.slice(0, MAX_JUDGES)) judges.push({ name, model: await answerer.model(name) })
  return judges
}
