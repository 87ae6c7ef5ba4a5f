import type { getImportInsights } from '@groundswell/contract/feedback.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { Link } from 'react-router'
import { count, plural, signed } from '../../ui/text/plural.ts'
import { useImportInsights } from './import-queries.ts'

type Insights = ReplyOf<typeof getImportInsights>

type ImportInsightsProps = {
  id: string
  /** The encoder's pass over many messages, while there is one: insights still grow. */
  reading: { done: number; total: number } | null
}

/** How many insights an import created and how many grew, each with links. */
export function ImportInsights({ id, reading }: ImportInsightsProps) {
  const { data, error } = useImportInsights(id, true)
  if (error && !data)
    return <p className="mt-4 text-bad">Its effect on insights could not be loaded. {error.message}</p>
  if (!data) return <div className="skeleton mt-4 h-16" role="status" aria-label="Loading the insights" />
  if (data.created + data.grew + data.others === 0)
    return (
      <p className="mt-4 text-muted">
        {reading ? 'No insights were created or grew yet.' : 'No insights were created or grew.'}
      </p>
    )
  return (
    <>
      {reading ? (
        <p className="mt-4 text-small text-muted tabular-nums">
          {count(reading.done)} of {count(reading.total)} messages have been read for meaning. These numbers can change
          until all of them have.
        </p>
      ) : null}
      <div className={`grid ${reading ? 'mt-2' : 'mt-4'} grid-cols-1 gap-4 sm:grid-cols-2`}>
        <Named title={`${plural(data.created, 'insight')} created`} total={data.created} list={data.created_insights} />
        <Named title={`${plural(data.grew, 'insight')} grew`} total={data.grew} list={data.grown_insights} />
      </div>
      {data.others > 0 ? (
        <p className="mt-2 text-small text-muted">
          {plural(data.others, 'more insight')} got mentions and did not grow: as many left, or more.
        </p>
      ) : null}
    </>
  )
}

const SHOWN = 5

function Named({ title, total, list }: { title: string; total: number; list: Insights['created_insights'] }) {
  if (total === 0) return null
  return (
    <section className="min-w-0">
      <h3 className="font-semibold">{title}</h3>
      <ul className="mt-1">
        {list.slice(0, SHOWN).map(({ issue_number: number, name, mentions, change }) => (
          <li key={number} className="flex items-baseline gap-2 py-0.5">
            <Link
              to={`/insights?issue=${number}`}
              title={name}
              className="min-w-0 truncate text-accent hover:underline"
              dir="auto"
            >
              {name}
            </Link>
            <span className="shrink-0 text-small text-muted tabular-nums">
              {count(mentions)}
              {change?.count ? <span title="Since the import began"> {signed(change.count)}</span> : null}
            </span>
          </li>
        ))}
      </ul>
      {total > SHOWN ? (
        <p className="text-small text-muted">
          And {count(total - SHOWN)} more.{' '}
          <Link to="/insights?sort=-mentions" className="text-accent hover:underline">
            Show the largest first
          </Link>
        </p>
      ) : null}
    </section>
  )
}
