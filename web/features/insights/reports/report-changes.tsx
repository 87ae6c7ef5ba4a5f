import { getReportChanges } from '@groundswell/contract/reports.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../client/index.ts'
import { useConnectorName } from '../../connections/index.ts'
import { changeName, changeWords, excludedText } from './change-words.ts'
import type { ReportQuery } from './report-query.ts'
import { countText } from './report-words.ts'

type ChangesProps = {
  query: ReportQuery
  /** Whether there was anything before, so that something can have changed. */
  compared: boolean
}

/** Sentences about what changed against the previous period, and about what the report leaves out. */
export function ReportChanges({ query, compared }: ChangesProps) {
  const { data, isError, error, refetch } = useQuery({
    queryKey: ['report changes', query],
    queryFn: () => call(getReportChanges, { query }),
    retry: false,
  })
  const namesSources = query.by === 'source' || data?.changes.some(({ mostly }) => mostly?.by === 'source') === true
  const connectorName = useConnectorName(namesSources)
  if (isError) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-muted">
        What changed could not be loaded. {error.message} <Button onClick={() => void refetch()}>Try again</Button>
      </p>
    )
  }
  if (!data) {
    return (
      <div role="status" aria-label="What changed is loading">
        <div className="skeleton h-10" />
      </div>
    )
  }
  const excluded = excludedText(data.excluded)
  return (
    <section aria-label="What changed" className="flex flex-col gap-2">
      {!compared ? null : data.changes.length === 0 ? (
        <p className="text-muted">Nothing has clearly more or fewer mentions than before.</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {data.changes.map((change) => {
            const name = changeName(change, query.by ?? 'none', connectorName)
            return (
              <li key={`${change.issue_number} ${change.key}`}>
                {change.issue_number === null ? (
                  <span dir="auto" className="font-medium">
                    {name}
                  </span>
                ) : (
                  <Link
                    to={`/insights?issue=${change.issue_number}`}
                    dir="auto"
                    className="font-medium text-accent hover:underline"
                  >
                    {name}
                  </Link>
                )}{' '}
                {changeWords(change, query.to, connectorName)}{' '}
                <span className="whitespace-nowrap text-muted tabular-nums">
                  ({countText(change.previous)} → {countText(change.total)})
                </span>
              </li>
            )
          })}
        </ul>
      )}
      {excluded === null ? null : (
        <p className="text-small text-muted">
          {excluded}{' '}
          {data.excluded.ungrouped > 0 ? (
            <Link to="/ungrouped" className="text-accent underline">
              Look at them
            </Link>
          ) : null}
        </p>
      )}
    </section>
  )
}
