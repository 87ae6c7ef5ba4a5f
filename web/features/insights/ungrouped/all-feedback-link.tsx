import { Link } from 'react-router'
import { useHasExtras } from '../../operations/index.ts'
import { allFeedback } from './all-feedback-address.ts'

/** Leads from a search of the insights to all feedback with the same words. */
export function AllFeedbackLink({ words }: { words: string }) {
  if (!useHasExtras()) return null
  const text = `Search all feedback for “${words}”`
  return (
    <Link
      to={allFeedback({ q: words })}
      title={text}
      className="max-w-80 truncate rounded-small text-accent hover:underline"
    >
      {text}
    </Link>
  )
}
