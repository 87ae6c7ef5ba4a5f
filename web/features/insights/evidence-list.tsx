import type { Insight, Mention } from '@groundswell/contract/insights.ts'
import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CorrectableItem } from './corrections/correctable-item.tsx'
import { SplitBar } from './corrections/split-bar.tsx'
import { useBorrowedFocus } from './corrections/use-borrowed-focus.ts'
import type { Correcting } from './corrections/use-correcting.ts'
import { EvidenceItem } from './evidence-item.tsx'
import { useEvidence } from './evidence-query.ts'
import { mentionCount } from './sort.ts'

/**
 * The evidence of an insight, newest first: what came with the list at once, then with the messages around the quotes, a
 * page at a time. A server that has no such pages has sent all it knows with the list.
 */
export function EvidenceList({ insight, correcting }: { insight: Insight; correcting: Correcting | null }) {
  const pages = useEvidence(insight)
  const [asked, setAsked] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const splitting = correcting?.draft?.what === 'split' ? correcting.draft : null
  useBorrowedFocus(list, splitting !== null)
  const total = mentionCount(insight)
  const mentions = pages.data?.pages.flatMap((page) => page.mentions ?? []) ?? insight.evidence ?? []
  const more = pages.data ? pages.hasNextPage : mentions.length < total
  return (
    <section>
      <h3 tabIndex={-1} className="font-semibold">
        Evidence <span className="font-normal text-muted tabular-nums">{total}</span>
      </h3>
      <ol ref={list} className="mt-1">
        {mentions.map((mention, index) =>
          correcting && isNamed(mention) ? (
            <CorrectableItem key={mention.id} insight={insight} mention={mention} correcting={correcting} />
          ) : (
            <EvidenceItem key={mention.id ?? index} mention={mention} />
          ),
        )}
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
      {correcting && splitting ? (
        <SplitBar insight={insight} chosen={splitting.chosen} correcting={correcting} />
      ) : null}
    </section>
  )
}

function isNamed(mention: Mention): mention is Mention & { id: string } {
  return mention.id !== undefined
}
