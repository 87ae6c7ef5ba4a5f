import { meanOf, type ScoredRow, type ScoredSession } from './scored-rows.ts'

/** Scores that are shown as the same, to two decimals, are equal. */
const EQUAL_WITHIN = 0.005

type Verdict = 'improved' | 'regressed' | 'equal'

/**
 * A row beside its counterpart in the baseline. `score` and `baseline` are means over the evaluators that both have, and `delta` is the difference; null
 * without a counterpart or such an evaluator: then `score` is the mean over all evaluators.
 */
export type ComparedRow = ScoredRow & {
  score: number | null
  baseline: number | null
  delta: number | null
  verdict: Verdict | null
}

/** `unmatched`: rows without a delta; `onlyInBaseline`: rows of the baseline without a counterpart. */
export type SessionComparison = {
  rows: ComparedRow[]
  counts: Record<Verdict, number>
  unmatched: number
  onlyInBaseline: number
}

/**
 * Each row of a session beside its counterpart in the baseline. Rows are matched by what was evaluated (source, start and input), the first of several
 * equal ones with the first; evaluators are matched by name. Without a baseline there are only scores.
 */
export function compareSessions(session: ScoredSession, baseline: ScoredSession | null): SessionComparison {
  const waiting = Map.groupBy(baseline?.rows ?? [], (row) => row.subject)
  const columns = session.evaluators.map((name) => baseline?.evaluators.indexOf(name) ?? -1)
  const counts: Record<Verdict, number> = { improved: 0, regressed: 0, equal: 0 }
  let unmatched = 0
  let matched = 0
  const rows = session.rows.map((row): ComparedRow => {
    const counterpart = waiting.get(row.subject)?.shift()
    if (counterpart) matched += 1
    const pairs = columns.flatMap((column, index) => {
      const [now, before] = [row.scores[index] ?? null, counterpart?.scores[column] ?? null]
      return now === null || before === null ? [] : [{ now, before }]
    })
    const score = meanOf(pairs.length === 0 ? row.scores : pairs.map(({ now }) => now))
    const before = meanOf(pairs.map((pair) => pair.before))
    const delta = score === null || before === null ? null : score - before
    const verdict = delta === null ? null : verdictOf(delta)
    if (verdict === null) unmatched += 1
    else counts[verdict] += 1
    return { ...row, score, baseline: before, delta, verdict }
  })
  return { rows, counts, unmatched, onlyInBaseline: (baseline?.rows.length ?? 0) - matched }
}

function verdictOf(delta: number): Verdict {
  if (Math.abs(delta) < EQUAL_WITHIN) return 'equal'
  return delta > 0 ? 'improved' : 'regressed'
}

/** The same rows, the largest regression first; those without a delta last, each in the order of the file. */
export function byRegression(rows: readonly ComparedRow[]): ComparedRow[] {
  const rank = ({ delta }: ComparedRow) => delta ?? Number.POSITIVE_INFINITY
  return rows.toSorted((a, b) => (rank(a) === rank(b) ? a.page - b.page : rank(a) - rank(b)))
}
