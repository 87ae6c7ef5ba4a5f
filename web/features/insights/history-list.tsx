import type { InsightEvent } from '@groundswell/contract/insight-detail.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoment } from '../../ui/moment.ts'
import { eventInWords } from './event-words.ts'

const AT_FIRST = 5

/** What became of the insight, newest first. */
export function HistoryList({ history }: { history: readonly InsightEvent[] }) {
  const [all, setAll] = useState(false)
  if (history.length === 0) return null
  return (
    <section>
      <h3 className="font-semibold">History</h3>
      <ol className="mt-1">
        {(all ? history : history.slice(0, AT_FIRST)).map((one, place) => (
          <li key={place} className="flex flex-wrap justify-between gap-x-4 py-1">
            <span dir="auto" className="min-w-0 break-words">
              {eventInWords(one)}
              {one.other === undefined ? null : (
                <>
                  {' '}
                  <Link to={`/insights?issue=${one.other}`} className="text-accent hover:underline">
                    #{one.other}
                  </Link>
                </>
              )}
            </span>
            <time dateTime={one.at} className="text-small text-muted">
              {formatMoment(one.at)}
            </time>
          </li>
        ))}
      </ol>
      {history.length > AT_FIRST ? (
        <button
          type="button"
          aria-expanded={all}
          onClick={() => setAll(!all)}
          className="rounded-small text-small text-accent hover:underline"
        >
          {all ? 'Show less' : `Show all ${history.length}`}
        </button>
      ) : null}
    </section>
  )
}
