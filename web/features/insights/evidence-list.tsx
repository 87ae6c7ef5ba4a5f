import type { Insight } from '@groundswell/contract/insights.ts'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { EvidenceItem } from './evidence-item.tsx'
import { useEvidence } from './evidence-query.ts'
import { mentionCount } from './sort.ts'

/** The evidence of an insight: what came with the list at once, all of it on demand, a page at a time. */
export function EvidenceList({ insight }: { insight: Insight }) {
  const [everything, setEverything] = useState(false)
  const pages = useEvidence(insight.issue_number, everything)
  const total = mentionCount(insight)
  const loaded = pages.data?.pages.flatMap((page) => page.mentions)
  const mentions = loaded ?? insight.evidence
  const more = everything ? pages.hasNextPage : mentions.length < total
  return (
    <section>
      <h3 className="font-semibold">
        Evidence <span className="font-normal text-muted tabular-nums">{total}</span>
      </h3>
      <ol className="mt-1">
        {mentions.map((mention, index) => (
          <EvidenceItem key={mention.id ?? index} mention={mention} />
        ))}
      </ol>
      {pages.isError ? (
        <p role="alert" className="py-2 text-small text-bad">
          More evidence could not be loaded. {pages.error.message}
        </p>
      ) : null}
      {more || pages.isError ? (
        <Button
          className="mt-2 w-full"
          busy={pages.isFetching}
          onClick={() => {
            if (!everything) setEverything(true)
            else if (pages.data) void pages.fetchNextPage()
            else void pages.refetch()
          }}
        >
          {pages.isFetching ? 'Loading…' : `Show more of ${total} mentions`}
        </Button>
      ) : null}
    </section>
  )
}
