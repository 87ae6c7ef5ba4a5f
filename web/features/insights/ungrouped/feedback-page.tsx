import { useSearchParams } from 'react-router'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { isOfAll } from './all-feedback-address.ts'
import { UngroupedPage } from './ungrouped-page.tsx'

const AllFeedbackPage = lazyPart(async () => (await import('./all-feedback-page.tsx')).AllFeedbackPage)

/** /ungrouped: feedback in no insight, or with `?in=all` all feedback. */
export function FeedbackPage() {
  const [address] = useSearchParams()
  return isOfAll(address) ? <AllFeedbackPage /> : <UngroupedPage />
}
