import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import { MAX_LIKE, MENTION_ID } from '@groundswell/contract/insights.ts'
import { Check, Search } from 'lucide-react'
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { useAddressParts } from '../../../ui/use-address-parts.ts'
import { useImmediate } from '../../../ui/use-immediate.ts'
import { useSettled } from '../../../ui/use-settled.ts'
import { useMayEdit } from '../../accounts/index.ts'
import { CallError } from '../../client/index.ts'
import { TickBox } from '../corrections/tick-box.tsx'
import { isNamed, type NamedMention, usePicks } from '../corrections/use-picking.ts'
import { KindFilter } from '../kinds/kind-filter.tsx'
import { isKind, wordsOfKind } from '../kinds/kind-words.ts'
import { EvidenceItem } from '../panel/evidence-item.tsx'
import { FeedbackSwitch } from './feedback-switch.tsx'
import { GatherBar } from './gather-bar.tsx'
import { ListProblem, MoreProblem } from './list-problem.tsx'
import { totalText } from './total-in-words.ts'
import { useUngrouped } from './ungrouped-query.ts'
import { useGathering } from './use-gathering.ts'

/** The server's maximum length of a search. */
const MAX_SEARCH_LENGTH = 200
const NONE: readonly NamedMention[] = []

type Part = 'q' | 'courtesies' | 'like' | 'into' | 'kind'
type SetParts = (parts: Partial<Record<Part, string>>) => void

/**
 * /ungrouped: feedback in no insight. `?q=payout` searches, `?kind=problem` filters, `?courtesies=1` includes thanks and the like, `?like=1:0,2:0` sorts
 * by similarity to these mentions, and `&into=41` is the insight they belong to.
 */
export function UngroupedPage() {
  const [address, setParts] = useAddressParts<Part>()
  const mayEdit = useMayEdit()
  const count = useRef<HTMLParagraphElement>(null)
  const typed = (address.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH)
  const courtesies = address.get('courtesies') === '1'
  const words = useSettled(typed)
  const alike = likeOf(address)
  const into = alike.length > 0 ? Number(address.get('into')) || null : null
  // The mentions that were selected when the order was chosen.
  const [stood, setStood] = useState(NONE)
  const kind = address.get('kind')
  const chosenKind = isKind(kind) ? kind : null
  const found = useUngrouped(words, courtesies, alike, chosenKind)
  const pages = found.data?.pages ?? []
  const total = pages[0]?.total ?? 0
  const gathering = useGathering()
  const ids = gathering.ticked.map((one) => one.id)
  // The mentions that the others are compared with come first, until they are grouped.
  const asked = stood.every((one) => alike.includes(one.id)) && stood.some((one) => ids.includes(one.id))
  const compared = asked && alike.length > 0 && !found.isPlaceholderData ? stood : NONE
  const mentions = [...compared, ...pages.flatMap((page) => page.mentions)]
  const picks = usePicks(mentions, ids, (chosen) => gathering.tick(chosen, mentions))
  const toCompare = gathering.ticked.slice(-MAX_LIKE)
  const isCompared = toCompare.length === alike.length && toCompare.every((one) => alike.includes(one.id))
  const compare = () => {
    setStood(toCompare)
    setParts({ like: toCompare.map((one) => one.id).join(','), into: '' })
    count.current?.scrollIntoView({ block: 'nearest' })
  }
  const missing = found.error instanceof CallError && found.error.status === 404
  const searching = typed !== words || found.isPlaceholderData || found.continues
  const more =
    found.hasNextPage && !found.isPlaceholderData ? (
      <Button busy={found.isFetching || found.continues} onClick={() => void found.fetchNextPage()}>
        {found.continues ? 'Searching…' : words ? 'Search older messages' : 'Show more'}
      </Button>
    ) : null
  return (
    <Page
      width="narrow"
      title="Feedback not in an insight"
      {...(mayEdit ? { lead: 'Messages you group stay together, and similar messages join them later.' } : {})}
      actions={<FeedbackSwitch all={false} address={address} />}
    >
      {missing ? null : (
        <ListHead address={address} setParts={setParts} sorted={alike.length > 0} counter={count}>
          {searching
            ? 'Searching…'
            : !found.data
              ? null
              : alike.length > 0
                ? `Sorted by similarity${into === null ? '' : ` to #${into}`}`
                : countText(mentions.length, total, words, more !== null)}
        </ListHead>
      )}
      {pages[0]?.kinds ? (
        <KindFilter counts={pages[0].kinds} kind={chosenKind} onKind={(next) => setParts({ kind: next ?? '' })} />
      ) : null}
      {mentions.length > 0 ? (
        <>
          <ol
            aria-label="Mentions not in an insight"
            aria-busy={found.isPlaceholderData || undefined}
            onKeyDown={picks.onKeyDown}
            className="rounded border border-line bg-surface px-4"
          >
            {mentions.map((mention, index) => (
              <EvidenceItem
                key={mention.id ?? index}
                mention={mention}
                kindChoice
                tick={mayEdit && isNamed(mention) ? <TickBox mention={mention} picks={picks} /> : null}
              />
            ))}
          </ol>
          {found.isError ? <MoreProblem error={found.error} /> : null}
          {more ? <div className="mt-3 flex flex-col">{more}</div> : null}
        </>
      ) : missing ? (
        <EmptyState title="This list is not available">
          This server does not list feedback that is not in an insight.
        </EmptyState>
      ) : found.isError ? (
        <ListProblem error={found.error} onRetry={() => void found.refetch()} />
      ) : found.isPending || searching ? (
        <div className="skeleton h-24" role="status" aria-label="Loading" />
      ) : (
        <NothingFound words={words} kind={chosenKind} more={more} setParts={setParts} />
      )}
      {gathering.ticked.length > 0 ? (
        <GatherBar
          gathering={gathering}
          into={into}
          onNone={picks.pickNone}
          onCompare={isCompared ? null : compare}
          after={count}
        />
      ) : null}
    </Page>
  )
}

type ListHeadProps = {
  address: URLSearchParams
  setParts: SetParts
  /** By similarity instead of by time. */
  sorted: boolean
  counter: RefObject<HTMLParagraphElement | null>
  /** The status of the list. */
  children: ReactNode
}

/** The search, the thanks and greetings, and the order of the list. */
function ListHead({ address, setParts, sorted, counter, children }: ListHeadProps) {
  const searchBox = useRef<HTMLInputElement>(null)
  const boxId = useId()
  const [withCourtesies, setWithCourtesies] = useImmediate(address.get('courtesies') === '1', (on) =>
    setParts({ courtesies: on ? '1' : '' }),
  )
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="w-full sm:w-64">
        <SearchBox
          label="Search feedback not in an insight"
          box={searchBox}
          words={address.get('q') ?? ''}
          onWords={(next) => setParts({ q: next })}
        />
      </div>
      <label htmlFor={boxId} className="flex min-h-8 items-center gap-2">
        <input
          id={boxId}
          type="checkbox"
          checked={withCourtesies}
          onChange={(event) => setWithCourtesies(event.target.checked)}
          className="size-4 shrink-0 accent-(--accent)"
        />
        Include thanks and greetings
      </label>
      <p ref={counter} tabIndex={-1} role="status" className="ml-auto text-small text-muted tabular-nums">
        {children}
      </p>
      {sorted ? <Button onClick={() => setParts({ like: '', into: '' })}>Newest first</Button> : null}
    </div>
  )
}

type NothingFoundProps = { words: string; kind: FeedbackKind | null; more: ReactNode; setParts: SetParts }

/** In place of an empty list. `more` searches older messages. */
function NothingFound({ words, kind, more, setParts }: NothingFoundProps) {
  if (words) {
    return (
      <EmptyState
        icon={<Search size={24} aria-hidden />}
        title={more ? 'Nothing found so far' : 'Nothing found'}
        actions={
          <>
            {more}
            <Button onClick={() => setParts({ q: '' })}>Clear search</Button>
          </>
        }
      >
        {`No messages match “${words}”.`}
      </EmptyState>
    )
  }
  if (kind) {
    return (
      <EmptyState
        icon={<Check size={24} aria-hidden />}
        title="Nothing of this kind"
        actions={<Button onClick={() => setParts({ kind: '' })}>Show all kinds</Button>}
      >
        {`${wordsOfKind(kind).many} that are in no insight appear here.`}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<Check size={24} aria-hidden />}
      title="Nothing here"
      actions={
        <Link to="/insights" className={buttonClass()}>
          Insights
        </Link>
      }
    >
      Feedback that is not in an insight appears here.
    </EmptyState>
  )
}

/** The mentions of an address to be compared with; none where it is invalid. */
function likeOf(address: URLSearchParams): string[] {
  const ids = (address.get('like') ?? '').split(',').filter((id) => MENTION_ID.test(id))
  return ids.slice(0, MAX_LIKE)
}

/** The status of the list as text; the total while there is no search. */
function countText(shown: number, total: number, words: string, more: boolean): string {
  if (words) return `${shown} found${more ? ' so far' : ''}`
  return total === 1 ? '1 mention' : `${totalText(total)} mentions`
}
