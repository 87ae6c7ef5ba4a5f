import { Select } from '../../../ui/field.tsx'
import { count } from '../../../ui/text/plural.ts'
import { histogramOf } from './histogram.ts'
import type { ScoredSession } from './scored-rows.ts'

const ALL = -1

type ScoreHistogramProps = {
  session: ScoredSession
  /** The name of one evaluator; '' for all. */
  evaluator: string
  onChange: (evaluator: string) => void
}

/** How often which score was given, by one evaluator or by all. */
export function ScoreHistogram({ session: { evaluators, rows }, evaluator, onChange }: ScoreHistogramProps) {
  const chosen = evaluators.indexOf(evaluator)
  const scores = rows.flatMap((row) =>
    (chosen === ALL ? row.scores : row.scores.slice(chosen, chosen + 1)).filter((score) => score !== null),
  )
  const bins = histogramOf(scores)
  const most = Math.max(1, ...bins.map((bin) => bin.count))
  const decimals = bins.some(({ from, to }) => to - from < 1) ? 1 : 0
  return (
    <section aria-label="Scores" className="rounded border border-line bg-surface px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">Scores</h2>
        <Select
          aria-label="Evaluator"
          className="max-w-full min-w-0"
          value={chosen}
          onChange={(event) => onChange(evaluators[Number(event.target.value)] ?? '')}
        >
          <option value={ALL}>All evaluators</option>
          {evaluators.map((name, index) => (
            <option key={`${index} ${name}`} value={index}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      {bins.length === 0 ? (
        <p className="py-6 text-center text-muted">There are no scores.</p>
      ) : (
        <table className="mt-3 w-full border-collapse text-small tabular-nums">
          <thead className="sr-only">
            <tr>
              <th scope="col">Score</th>
              <th scope="col">Number of averages</th>
            </tr>
          </thead>
          <tbody>
            {bins.map((bin) => (
              <tr key={bin.from}>
                <th scope="row" className="w-px py-0.5 pr-3 text-right font-normal whitespace-nowrap text-muted">
                  {bin.from.toFixed(decimals)} – {bin.to.toFixed(decimals)}
                </th>
                <td className="py-0.5">
                  <div className="flex items-center gap-2">
                    {bin.count === 0 ? null : (
                      <div
                        aria-hidden
                        className="h-2.5 rounded-small bg-accent"
                        style={{ width: `${(bin.count / most) * 85}%` }}
                      />
                    )}
                    {count(bin.count)}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
