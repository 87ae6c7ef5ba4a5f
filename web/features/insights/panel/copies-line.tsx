import type { Copies } from '@groundswell/contract/insights/insight-detail.ts'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { peopleText } from '../mention-words.ts'

type CopiesLineProps = {
  copied: Copies
  isOpen: boolean
  onToggle: () => void
  /** Absent where mentions cannot be corrected. */
  onDismiss?: (() => void) | undefined
}

/** After the first of several mentions with the same text: how many there are, which opens them, and a way to dismiss them. */
export function CopiesLine({ copied, isOpen, onToggle, onDismiss }: CopiesLineProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 pb-3 text-small text-muted">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="inline-flex h-6 items-center gap-1 rounded-small pr-1.5 text-accent tabular-nums hover:underline"
      >
        {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        {copied.count} identical copies
      </button>
      <span className="tabular-nums">{peopleText(copied.people)}</span>
      {onDismiss ? (
        <button
          type="button"
          data-edits
          onClick={onDismiss}
          className="ml-auto h-6 rounded-small px-1.5 text-accent hover:underline"
        >
          Dismiss as spam
        </button>
      ) : null}
    </li>
  )
}
