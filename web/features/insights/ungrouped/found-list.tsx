import type { FoundFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import { Link } from 'react-router'
import { EvidenceItem } from '../panel/evidence-item.tsx'
import { findSearched } from './searched-words.ts'

const FOUND_BY = { words: 'By words', meaning: 'By meaning' } as const

type FoundListProps = {
  label: string
  feedback: readonly FoundFeedback[]
  busy?: boolean
  /** The ids of the items are this followed by 1, 2, 3 …, for links to them; each item shows its number. */
  anchor?: string
  /** What was searched for: its words are marked in the messages that have them all. */
  searched?: string
}

/** Messages that were found, each with the reason why it was found, and with links to its insights. */
export function FoundList({ label, feedback, busy = false, anchor, searched = '' }: FoundListProps) {
  // Without a question or words there is nothing to mark: nobody asked for a passage.
  const findPassages =
    searched === '' ? (anchor ? undefined : () => []) : (text: string) => findSearched(text, searched)
  return (
    <ol aria-label={label} aria-busy={busy || undefined} className="rounded border border-line bg-surface px-4">
      {feedback.map((one, index) => (
        <EvidenceItem
          key={one.id ?? index}
          mention={one}
          pointChoice
          findPassages={one.found_by === 'meaning' ? undefined : findPassages}
          {...(anchor ? { anchor: `${anchor}${index + 1}` } : {})}
          tools={
            <span className="flex gap-x-2 whitespace-nowrap">
              {one.found_by ? <span>{FOUND_BY[one.found_by]}</span> : null}
              {anchor ? <span className="tabular-nums">{index + 1}</span> : null}
            </span>
          }
        >
          {one.insights.length > 0 ? (
            <p className="mt-1 flex flex-wrap gap-x-3 text-small">
              <InsightLinks insights={one.insights} />
            </p>
          ) : null}
        </EvidenceItem>
      ))}
    </ol>
  )
}

/** A link to each of these insights. */
export function InsightLinks({ insights }: Pick<FoundFeedback, 'insights'>) {
  return insights.map(({ issue_number, issue_name }) => (
    <Link
      key={issue_number}
      to={`/insights?issue=${issue_number}`}
      className="max-w-full truncate rounded-small text-accent hover:underline"
    >
      #{issue_number} <span dir="auto">{issue_name}</span>
    </Link>
  ))
}
