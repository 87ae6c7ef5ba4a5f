import { useMemo } from 'react'
import { plural } from '../../../ui/text/plural.ts'
import { formatScore, type JudgesView } from '../session-view.ts'
import { type Agreement, agreementOf, describeAgreement, formatAgreement } from './agreement.ts'
import type { ScoredSession } from './scored-rows.ts'

/** The strongest tint: text on it stays readable in both themes. */
const STRONGEST_PERCENT = 40

/** `judges`: null where there are no two. */
type AgreementMapProps = { session: ScoredSession; judges: JudgesView | null }

/** How far each two evaluators agree, as a table with tints. */
export function AgreementMap({ session: { evaluators, rows }, judges }: AgreementMapProps) {
  const table = useMemo(() => agreementOf(evaluators, rows), [evaluators, rows])
  return (
    <section aria-label="Agreement of evaluators" className="rounded border border-line bg-surface px-4 py-3">
      <h2 className="flex min-h-8 items-center font-semibold">Agreement of evaluators</h2>
      {evaluators.length < 2 ? (
        <p className="py-6 text-center text-muted">There is only one evaluator.</p>
      ) : (
        <>
          <div aria-label="Agreement" role="group" tabIndex={0} className="mt-3 overflow-x-auto">
            <table className="border-separate border-spacing-0.5 text-small tabular-nums">
              <thead>
                <tr>
                  <td />
                  {evaluators.map((name, index) => (
                    <th
                      key={`${index} ${name}`}
                      scope="col"
                      className="max-w-28 min-w-16 px-2 py-1 text-left align-bottom font-normal break-words text-muted"
                    >
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {evaluators.map((name, first) => (
                  <tr key={`${first} ${name}`}>
                    <th scope="row" className="max-w-40 py-1 pr-2 text-left font-normal break-words text-muted">
                      {name}
                    </th>
                    {evaluators.map((other, second) => (
                      <Tile key={`${second} ${other}`} agreement={first === second ? null : table[first]?.[second]} />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className="mt-3 text-small text-muted">
            {describeAgreement(evaluators, table)} Rank correlation (Spearman): 1 is the same order, 0 no relation, −1
            the opposite order.
          </p>
          {judges ? (
            <p className="mt-2 text-small">
              The judges {judges.names.join(' and ')}: Cohen’s kappa {formatScore(judges.kappa)}, 95% interval{' '}
              {formatScore(judges.low)} to {formatScore(judges.high)}, over {plural(judges.items, 'grade')}.
            </p>
          ) : null}
        </>
      )}
    </section>
  )
}

function Tile({ agreement }: { agreement: Agreement | null | undefined }) {
  const value = agreement?.value ?? null
  const percent = Math.round(Math.abs(value ?? 0) * STRONGEST_PERCENT)
  const tint = `color-mix(in srgb, var(${(value ?? 0) < 0 ? '--bad' : '--accent'}) ${percent}%, transparent)`
  return (
    <td className="h-8 rounded-small px-2 text-left" style={value === null ? undefined : { background: tint }}>
      {value === null ? <span className="text-muted">–</span> : formatAgreement(value)}
    </td>
  )
}
