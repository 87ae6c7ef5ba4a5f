import clsx from 'clsx'
import { Link } from 'react-router'
import { allFeedback } from './all-feedback-address.ts'

/** Switches between the feedback that is in no insight and all of it. The words and the kind stay. */
export function FeedbackSwitch({ all, address }: { all: boolean; address: URLSearchParams }) {
  const kept = { q: address.get('q') ?? '', kind: address.get('kind') ?? '' }
  const places = [
    { label: 'Not in an insight', to: allFeedback(kept, false), here: !all },
    { label: 'All feedback', to: allFeedback(kept), here: all },
  ]
  return (
    <nav aria-label="Feedback" className="flex h-8 items-center rounded border border-line bg-surface p-0.5">
      {places.map(({ label, to, here }) => (
        <Link
          key={label}
          to={to}
          aria-current={here ? 'page' : undefined}
          className={clsx(
            'flex h-full items-center rounded-small px-2.5 text-small font-medium whitespace-nowrap',
            here ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:bg-hover hover:text-text',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
