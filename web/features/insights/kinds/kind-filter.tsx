import type { FeedbackKind, KindCount } from '@groundswell/contract/feedback/feedback-kind.ts'
import clsx from 'clsx'
import { wordsOfKind } from './kind-words.ts'

const number = new Intl.NumberFormat()

type KindFilterProps = {
  counts: readonly KindCount[]
  kind: FeedbackKind | null
  onKind: (kind: FeedbackKind | null) => void
}

/** The kinds with their numbers of mentions; one of them can be chosen. */
export function KindFilter({ counts, kind, onKind }: KindFilterProps) {
  // A chosen kind stays, so that it can be left again.
  const shown = kind === null || counts.some((one) => one.kind === kind) ? counts : [...counts, { kind, count: 0 }]
  if (shown.length === 0) return null
  return (
    // A fieldset is otherwise as wide as its content, and the page scrolls sideways instead of it.
    <fieldset className="-mx-1 mb-3 flex min-w-0 gap-1 overflow-x-auto px-1 py-0.5">
      <legend className="sr-only">Kind</legend>
      {shown.map(({ kind: one, count }) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === kind}
          onClick={() => onKind(one === kind ? null : one)}
          className={clsx(
            'inline-flex h-7 shrink-0 items-center gap-1.5 rounded border px-2 text-small font-medium whitespace-nowrap',
            one === kind
              ? 'border-accent bg-accent-soft text-accent-strong'
              : 'border-line bg-surface text-muted hover:bg-hover',
          )}
        >
          {wordsOfKind(one).many}
          <span className="font-normal tabular-nums">{number.format(count)}</span>
        </button>
      ))}
    </fieldset>
  )
}
