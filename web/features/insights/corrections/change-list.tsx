import type { CorrectionChange } from '@groundswell/contract/corrections.ts'
import { endText, mentionsInNumbers, peopleInNumbers } from './correction-words.ts'

/** The effect of a correction on each insight, before and after, one line each. */
export function ChangeList({ changes }: { changes: readonly CorrectionChange[] }) {
  return (
    <ul className="rounded border border-line">
      {changes.map((change, place) => (
        <li key={place} className="border-b border-line px-3 py-2 last:border-0">
          <p dir="auto" className="truncate font-medium">
            {change.name ?? 'A new insight'}
          </p>
          <p className="flex flex-wrap items-center gap-x-2 text-small text-muted">
            {change.issue_number === null ? null : <span>#{change.issue_number}</span>}
            <span className="tabular-nums">{mentionsInNumbers(change)}</span>
            <span className="tabular-nums">{peopleInNumbers(change)}</span>
            <span>{endText(change)}</span>
          </p>
        </li>
      ))}
    </ul>
  )
}
