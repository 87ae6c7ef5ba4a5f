import { type InsightEvent, MAX_HISTORY } from '@groundswell/contract/insights/insight-detail.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoment } from '../../../ui/text/moment.ts'
import { showAllText } from '../../../ui/text/plural.ts'
import { UndoButton } from '../corrections/undo-button.tsx'
import type { Correcting } from '../corrections/use-correcting.ts'
import { chronicle, type HistoryEntry, type Reviewed } from './history.ts'

const AT_FIRST = 5

type HistoryListProps = {
  here: number
  history: readonly InsightEvent[]
  reviewed: Reviewed
  correcting: Correcting | null
}

/** The history of the insight, newest first; corrections, and what the language model moved or merged, can be undone here. */
export function HistoryList({ here, history, reviewed, correcting }: HistoryListProps) {
  const [all, setAll] = useState(false)
  const entries = chronicle(here, history, correcting?.corrections ?? [], reviewed)
  if (entries.length === 0) return null
  return (
    <section>
      <h3 className="font-semibold">History</h3>
      <ol className="mt-1">
        {(all ? entries : entries.slice(0, AT_FIRST)).map(
          ({ at, words, other, by, undone, correction, reversal, messages }, place) => (
            <li
              key={correction?.correction_id ?? place}
              className="flex flex-wrap items-center justify-between gap-x-4 py-1"
            >
              <span dir="auto" className="min-w-0 break-words">
                <span className={correction?.state === 'undone' ? 'line-through' : undefined}>{words}</span>
                {other === null ? null : (
                  <>
                    {' '}
                    <Link to={`/insights?issue=${other}`} className="text-accent hover:underline">
                      #{other}
                    </Link>
                  </>
                )}
                {by === null ? null : <span className="text-muted"> by {by}</span>}
                {undone === null ? null : <span className="text-muted">, {undone}</span>}
              </span>
              <span className="ml-auto inline-flex items-center gap-2 text-small text-muted">
                {correcting && correction?.can_undo ? (
                  <UndoButton
                    words={words}
                    busy={correcting.busy}
                    onUndo={() => correcting.undo(correction.correction_id)}
                  />
                ) : correcting && reversal ? (
                  <UndoButton
                    words={words}
                    busy={correcting.busy}
                    onUndo={async () => void (await correcting.correct(reversal))}
                  />
                ) : null}
                <time dateTime={at}>{formatMoment(at)}</time>
              </span>
              {messages.length === 0 ? null : <MovedMessages messages={messages} />}
            </li>
          ),
        )}
      </ol>
      {entries.length > AT_FIRST ? (
        <button
          type="button"
          aria-expanded={all}
          onClick={() => setAll(!all)}
          className="rounded-small text-small text-accent hover:underline"
        >
          {all
            ? 'Show less'
            : history.length < MAX_HISTORY
              ? showAllText(entries.length)
              : `Show the latest ${entries.length}`}
        </button>
      ) : null}
    </section>
  )
}

/** The messages behind an entry, on request: what left with a link to where it is now. */
function MovedMessages({ messages }: Pick<HistoryEntry, 'messages'>) {
  return (
    <details className="w-full text-small text-muted">
      <summary className="rounded-small">Which messages</summary>
      <ul className="mt-1 grid gap-1">
        {messages.map(({ text, left, other }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={place}>
            {left ? '−' : '+'} <span dir="auto">“{text}”</span>
            {other === null ? null : (
              <>
                {', now in '}
                <Link to={`/insights?issue=${other}`} className="text-accent hover:underline">
                  #{other}
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
