import clsx from 'clsx'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { count } from '../../../ui/text/plural.ts'
import { formatScore } from '../session-view.ts'
import type { AnalysisChoice } from './analysis-address.ts'
import { byRegression, type ComparedRow } from './compare-sessions.ts'

const ROWS_AT_ONCE = 50

type RowsTableProps = {
  rows: readonly ComparedRow[]
  /** Whether there is a baseline. */
  compared: boolean
  choice: AnalysisChoice
  /** The page that is shown, from 0. */
  index: number
  onGoTo: (index: number) => void
}

/** The rows of a session with their scores; each leads to its page. */
export function RowsTable({ rows, compared, choice, index, onGoTo }: RowsTableProps) {
  const [most, setMost] = useState(ROWS_AT_ONCE)
  const kept = choice.unreviewedOnly ? rows.filter((row) => !row.reviewed) : rows
  const ordered = compared && choice.byRegression ? byRegression(kept) : kept
  const left = ordered.length - most
  if (ordered.length === 0) {
    return <p className="rounded border border-line px-4 py-6 text-center text-muted">You have scored every row.</p>
  }
  return (
    <div>
      <section aria-label="Rows" tabIndex={0} className="overflow-x-auto rounded border border-line bg-surface">
        <table className="w-full border-collapse">
          <thead>
            <tr className="border-b border-line text-left text-small text-muted">
              <th scope="col" className="px-4 py-2 font-medium">
                Row
              </th>
              <Head>Score</Head>
              {compared ? (
                <>
                  <Head>Baseline</Head>
                  <Head>Change</Head>
                </>
              ) : null}
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {ordered.slice(0, most).map((row) => (
              <tr
                key={row.page}
                className={clsx('border-b border-line last:border-0', row.page === index && 'bg-selected')}
              >
                <td className="px-4 py-1.5">
                  <button
                    type="button"
                    aria-current={row.page === index ? 'true' : undefined}
                    onClick={() => onGoTo(row.page)}
                    className="rounded-small text-left break-words hover:underline"
                  >
                    <span className="inline-block min-w-8 text-muted">{row.page + 1}</span> {row.about || 'Row'}
                  </button>
                  {row.reviewed ? (
                    <span className="ml-2 text-small whitespace-nowrap text-accent">Your score</span>
                  ) : null}
                </td>
                <Cell>{formatScore(row.score)}</Cell>
                {compared ? (
                  <>
                    <Cell>{formatScore(row.baseline)}</Cell>
                    <Cell>
                      <Change row={row} />
                    </Cell>
                  </>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {left > 0 ? (
        <Button look="quiet" className="mt-2" onClick={() => setMost(most + ROWS_AT_ONCE)}>
          Show {count(Math.min(left, ROWS_AT_ONCE))} more of {count(ordered.length)}
        </Button>
      ) : null}
    </div>
  )
}

function Head({ children }: { children: string }) {
  return (
    <th scope="col" className="w-24 px-4 py-2 text-right font-medium">
      {children}
    </th>
  )
}

function Cell({ children }: { children: ReactNode }) {
  return <td className="px-4 py-1.5 text-right">{children}</td>
}

function Change({ row: { delta, verdict } }: { row: ComparedRow }) {
  if (delta === null || verdict === null) return <span className="text-muted">–</span>
  if (verdict === 'equal') return <span className="text-muted">equal</span>
  return (
    <span className={verdict === 'improved' ? 'text-good' : 'text-bad'}>
      {delta > 0 ? '+' : '−'}
      {formatScore(Math.abs(delta))}
      <span className="sr-only"> {verdict}</span>
    </span>
  )
}
