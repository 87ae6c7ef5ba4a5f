import { Link } from 'react-router'
import { useHasExtras } from '../../operations/index.ts'
import { allFeedback } from './all-feedback-address.ts'

/** Leads from a search of the insights to all feedback with the same words. */
export function AllFeedbackLink({ words }: { words: string }) {
  if (!useHasExtras()) return null
  const purpose = `Search all feedback for “${words}”`
  return (
    <Link
      to={allFeedback({ q: words })}
      aria-label={purpose}
      title={purpose}
      className="rounded-small text-accent hover:underline"
    >
      Search all feedback
    </Link>
  )
}
