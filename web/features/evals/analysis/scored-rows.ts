import type { EvalView } from '../session-view.ts'

/** A person's scores in a session, by `placeOf`. */
export type PeopleScores = ReadonlyMap<string, number>

/** An evaluated response and an evaluator, by their places in the file. */
export function placeOf(page: number, evaluator: number): string {
  return `${page} ${evaluator}`
}

/** One evaluated response. `scores`: one for each evaluator, the person's where there is one. `reviewed`: the person scored it. */
export type ScoredRow = { page: number; subject: string; about: string; scores: (number | null)[]; reviewed: boolean }

/** The scores of a session, in the order of `evaluators` in each row. */
export type ScoredSession = { evaluators: string[]; rows: ScoredRow[] }

/** The numbers of a session, with a person's scores in place of the automatic ones. */
export function scoredSession({ evaluators, pages }: EvalView, people: PeopleScores): ScoredSession {
  return {
    evaluators,
    rows: pages.map(({ subject, about, cells }, page) => {
      const given = cells.map((_, evaluator) => people.get(placeOf(page, evaluator)))
      return {
        page,
        subject,
        about: about.join(' · '),
        scores: cells.map(({ value }, evaluator) => given[evaluator] ?? value),
        reviewed: given.some((score) => score !== undefined),
      }
    }),
  }
}

/** The mean of the scores that there are; null when there are none. */
export function meanOf(scores: readonly (number | null)[]): number | null {
  const known = scores.filter((score) => score !== null)
  return known.length === 0 ? null : known.reduce((sum, score) => sum + score, 0) / known.length
}
