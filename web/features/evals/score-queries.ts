import {
  type EvalScore,
  listEvalScores,
  restoreEvalScore,
  setEvalScore,
} from '@groundswell/contract/evaluation/evals.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../client/index.ts'
import { placeOf } from './analysis/scored-rows.ts'

/** The person's scores in a session by `placeOf`; null on a server without that call, and until they are loaded. */
export type OwnScores = ReadonlyMap<string, EvalScore> | null

const SCORES = ['evals', 'scores']

/** What the signed-in person scored in a session. */
export function useOwnScores(filename: string): OwnScores {
  const { data } = useQuery({
    queryKey: [...SCORES, filename],
    queryFn: async (): Promise<OwnScores> => {
      const scores: EvalScore[] | undefined = (await call(listEvalScores, { query: { filename } }).catch(() => null))
        ?.scores
      return scores ? new Map(scores.map((score) => [placeOf(score.page, score.evaluator), score])) : null
    },
    enabled: filename !== '',
  })
  return data ?? null
}

/** Which average a person scores. */
export type ScorePlace = { filename: string; page: number; evaluator: number }

/** Stores a score. Throws CallError. */
export async function giveScore(
  client: QueryClient,
  place: ScorePlace,
  given: { score: number; reason: string; automatic: number | null },
): Promise<void> {
  await call(setEvalScore, { body: { ...place, ...given } })
  await client.invalidateQueries({ queryKey: [...SCORES, place.filename] })
}

/** Removes a score, so that the automatic one counts again. Throws CallError. */
export async function restoreScore(client: QueryClient, place: ScorePlace): Promise<void> {
  await call(restoreEvalScore, { body: place })
  await client.invalidateQueries({ queryKey: [...SCORES, place.filename] })
}
