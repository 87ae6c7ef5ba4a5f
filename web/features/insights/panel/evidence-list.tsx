import type { Copies, InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import type { Insight, Mention } from '@groundswell/contract/insights.ts'
import { Fragment, type ReactNode, type RefObject, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { CorrectableItem } from '../corrections/correctable-item.tsx'
import { useBorrowedFocus } from '../corrections/use-borrowed-focus.ts'
import type { Correcting } from '../corrections/use-correcting.ts'
import { isNamed, usePicking } from '../corrections/use-picking.ts'
import { countsOfKinds } from '../kinds/kind-words.ts'
import { moreLike } from '../ungrouped/more-like.ts'
import { useCopies } from './copies.ts'
import { CopiesLine } from './copies-line.tsx'
import { EvidenceItem } from './evidence-item.tsx'
import { useEvidence } from './evidence-query.ts'
import { useInView } from './use-in-view.ts'

const PickBar = lazyPart(async () => (await import('../corrections/pick-bar.tsx')).PickBar)

/** How many are directly below the summary, and how many are shown at once. */
const QUOTED = 3
const AT_FIRST = 10

type EvidenceListProps = {
  insight: Insight
  insights: readonly Insight[]
  correcting: Correcting | null
  detail: InsightDetail | undefined
  onDelete: (insight: Insight) => void
  /** Stands between the newest mentions and the others. */
  children: ReactNode
}

/**
 * The evidence of an insight, newest first: first what came with the list, then with the messages around the quotes, a page
 * at a time. The newest three are at the top, unless there are no others or several are being selected; ten are shown at once, more as one scrolls. Mentions
 * with the same text are folded into the first of them. A server without such pages has sent everything with the list. Several mentions can be corrected at
 * once.
 */
export function EvidenceList({ insight, insights, correcting, detail, onDelete, children }: EvidenceListProps) {
  const pages = useEvidence(insight)
  const [asked, setAsked] = useState(false)
  const [room, setRoom] = useState(AT_FIRST)
  const list = useRef<HTMLOListElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const total = mentionCount(insight)
  // Stays as it was when the panel opened: the list under a person's hands is not rebuilt by a correction.
  const [parted] = useState(total > QUOTED)
  const loaded = pages.data?.pages.flatMap((page) => page.mentions ?? []) ?? insight.evidence ?? []
  const { shown, after, toggle } = useCopies(loaded, detail?.copies)
  const mentions = shown.slice(0, room)
  const kinds = detail?.kinds
  const dismiss = (copied: Copies) => {
    if (copied.count === total) onDelete(insight)
    else void correcting?.correct({ kind: 'reject', mentions: copied.mentions })
  }
  const picking = usePicking(mentions, correcting)
  useBorrowedFocus(list, picking !== null)
  const quoted = parted && !picking ? QUOTED : 0
  const left = shown.length > room || (pages.data ? pages.hasNextPage : loaded.length < total)
  const showMore = () => {
    setRoom((before) => Math.max(before, Math.min(before, shown.length) + AT_FIRST))
    if (shown.length > room) return
    setAsked(true)
    if (pages.data) void pages.fetchNextPage()
    else void pages.refetch()
  }
  const more = useInView(showMore, left && !pages.isFetching && !pages.isError ? mentions.length : null)
  const severalSources =
    (detail?.sources.length ?? new Set(loaded.map(({ source, place }) => `${source} ${place}`)).size) > 1
  const item = (mention: Mention, index: number) => {
    const copies = mention.id === undefined ? undefined : after.get(mention.id)
    return (
      <Fragment key={mention.id ?? index}>
        {isNamed(mention) ? (
          <CorrectableItem
            insight={insight}
            mention={mention}
            correcting={correcting}
            picking={picking}
            withSource={severalSources}
          />
        ) : (
          <EvidenceItem mention={mention} issueNumber={insight.issue_number} kindChoice withSource={severalSources} />
        )}
        {copies ? (
          <CopiesLine
            {...copies}
            onToggle={() => toggle(copies.copied)}
            onDismiss={correcting && !picking ? () => dismiss(copies.copied) : undefined}
          />
        ) : null}
      </Fragment>
    )
  }
  return (
    <>
      {quoted > 0 && mentions.length > 0 ? (
        <div role="group" aria-label="Newest quotes">
          <h3 className="sr-only">Newest quotes</h3>
          <ol>{mentions.slice(0, quoted).map(item)}</ol>
          <button
            type="button"
            onClick={() => {
              heading.current?.scrollIntoView({ block: 'start' })
              heading.current?.focus({ preventScroll: true })
            }}
            className="mt-1 rounded-small text-small text-accent hover:underline"
          >
            Go to all {total} mentions
          </button>
        </div>
      ) : null}
      {children}
      <section>
        <EvidenceHeading
          heading={heading}
          total={total}
          issueNumber={insight.issue_number}
          mentions={mentions}
          correcting={correcting}
          isPicking={picking !== null}
        />
        {kinds && kinds.length > 0 ? (
          <p className="text-small text-muted tabular-nums">{countsOfKinds(kinds)}</p>
        ) : null}
        {quoted > 0 ? <p className="text-small text-muted">The newest {QUOTED} are at the top.</p> : null}
        <ol ref={list} className="mt-1" onKeyDown={picking?.onKeyDown}>
          {mentions.slice(quoted).map(item)}
        </ol>
        {pages.isError && asked ? (
          <p role="alert" className="py-2 text-small text-bad">
            More evidence could not be loaded. {pages.error.message}
          </p>
        ) : null}
        {left ? (
          <Button ref={more} className="mt-2 w-full" busy={pages.isFetching} onClick={showMore}>
            {pages.isFetching ? 'Loading…' : `Show more of ${total} mentions`}
          </Button>
        ) : null}
        {correcting && picking ? (
          <PickBar insight={insight} insights={insights} picking={picking} correcting={correcting} />
        ) : null}
      </section>
    </>
  )
}

type EvidenceHeadingProps = {
  heading: RefObject<HTMLHeadingElement | null>
  total: number
  issueNumber: number
  mentions: readonly Mention[]
  correcting: Correcting | null
  isPicking: boolean
}

/** The number of mentions, with the ways to find more of them and to select several. */
function EvidenceHeading({ heading, total, issueNumber, mentions, correcting, isPicking }: EvidenceHeadingProps) {
  return (
    <div className="flex items-center justify-between gap-2">
      <h3 ref={heading} tabIndex={-1} className="font-semibold">
        Evidence <span className="font-normal text-muted tabular-nums">{total}</span>
      </h3>
      {correcting && mentions.some(isNamed) ? (
        <Link
          to={moreLike(issueNumber, mentions)}
          className="ml-auto inline-flex h-6 items-center rounded-small px-1.5 text-small text-accent hover:underline"
        >
          Find more<span className="sr-only"> like these, not in an insight</span>
        </Link>
      ) : null}
      {correcting && mentions.filter(isNamed).length > 1 ? (
        <button
          type="button"
          onClick={() => correcting.setDraft(isPicking ? null : { what: 'pick', chosen: [], aim: null })}
          className="h-6 rounded-small px-1.5 text-small text-accent hover:underline"
        >
          {isPicking ? 'Done' : 'Select'}
          <span className="sr-only">{isPicking ? ' selecting' : ' mentions'}</span>
        </button>
      ) : null}
    </div>
  )
}
