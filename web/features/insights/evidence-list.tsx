import type { Insight } from '@groundswell/contract/insights.ts'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { EvidenceItem } from './evidence-item.tsx'
import { useEvidence } from './evidence-query.ts'
import { mentionCount } from './sort.ts'

/**
 * The evidence of an insight, newest first: what came with the list at once, then with the messages around the quotes, a
 * page at a time. A server that has no such pages has sent all it knows with the list.
 */
export function EvidenceList({ insight }: { insight: Insight }) {
  const pages = useEvidence(insight)
  const [asked, setAsked] = useState(false)
  const total = mentionCount(insight)
  const mentions = pages.data?.pages.flatMap((page) => page.mentions ?? []) ?? insight.evidence ?? []
  const more = pages.data ? pages.hasNextPage : mentions.length < total
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
      {pages.isError && asked ? (
        <p role="alert" className="py-2 text-small text-bad">
          More evidence could not be loaded. {pages.error.message}
        </p>
      ) : null}
      {more ? (
        <Button
          className="mt-2 w-full"
          busy={pages.isFetching}
          onClick={() => {
            setAsked(true)
            if (pages.data) void pages.fetchNextPage()
            else void pages.refetch()
          }}
        >
          {pages.isFetching ? 'Loading…' : `Show more of ${total} mentions`}
        </Button>
      ) : null}
    </section>
  )
}
