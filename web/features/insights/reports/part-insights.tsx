import { getReportPart } from '@groundswell/contract/reports.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { plural } from '../../../ui/text/plural.ts'
import { call } from '../../client/index.ts'
import type { ReportQuery } from './report-query.ts'
import { comparedText, countText } from './report-words.ts'

type PartProps = {
  query: ReportQuery
  /** The part whose insights are shown; null: those of mentions in no part, or of all. */
  part: string | null
  /** The table of these insights, where it can be filtered so. */
  table: string | null
  /** How many mentions the previous period has, all parts together. */
  before: number
}

/** The insights behind a part of the report, most mentions first. */
export function PartInsights({ query, part, table, before }: PartProps) {
  const { data, isError, error, refetch } = useQuery({
    queryKey: ['report part', query, part],
    queryFn: () => call(getReportPart, { query: part === null ? query : { ...query, key: part } }),
    retry: false,
  })
  if (isError) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-muted">
        The insights could not be loaded. {error.message} <Button onClick={() => void refetch()}>Try again</Button>
      </p>
    )
  }
  if (!data) {
    return (
      <div role="status" aria-label="The insights are loading">
        <div className="skeleton h-16" />
      </div>
    )
  }
  const { insights, others } = data
  return (
    <div className="flex flex-col gap-2">
      {insights.length === 0 ? <p className="text-muted">No insights in this period or the one before.</p> : null}
      <ul>
        {insights.map((one) => (
          <li key={one.issue_number} className="flex items-baseline gap-4 py-1">
            <Link
              to={`/insights?issue=${one.issue_number}`}
              dir="auto"
              className="min-w-0 flex-1 truncate text-accent hover:underline"
            >
              {one.name}
            </Link>
            <span className="tabular-nums">{countText(one.total)}</span>
            {before === 0 ? null : (
              <span className="w-20 text-right text-small text-muted tabular-nums">{comparedText(one, before)}</span>
            )}
          </li>
        ))}
      </ul>
      {others.insights > 0 || table !== null ? (
        <p className="flex flex-wrap gap-x-4 text-small text-muted">
          {others.insights > 0 ? (
            <span>
              And {plural(others.insights, 'other insight')} with {plural(others.total, 'mention')}
            </span>
          ) : null}
          {table === null ? null : (
            <Link to={table} className="text-accent hover:underline">
              Show in Insights
            </Link>
          )}
        </p>
      ) : null}
    </div>
  )
}
