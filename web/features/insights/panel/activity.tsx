import type { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { InsightDeliveries } from '../../deliveries/index.ts'
import type { Correcting } from '../corrections/use-correcting.ts'
import { HistoryList } from './history-list.tsx'

const CommentsSection = lazyPart(async () => (await import('../../comments/index.ts')).CommentsSection, {
  waiting: () => <div className="skeleton h-24" />,
})

type ActivityProps = { issueNumber: number; detail: InsightDetail | undefined; correcting: Correcting | null }

/** What the team did about an insight and what happened to it: the comments, the latest deliveries and the history. */
export function Activity({ issueNumber, detail, correcting }: ActivityProps) {
  return (
    <>
      <CommentsSection issueNumber={issueNumber} />
      <InsightDeliveries issueNumber={issueNumber} />
      {detail ? (
        <HistoryList
          here={issueNumber}
          history={detail.history}
          reviewed={{ moved: detail.moved_by_review ?? [], merged: detail.merged_by_review ?? [] }}
          correcting={correcting}
        />
      ) : null}
    </>
  )
}
