import { MessagesSquare, Search } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { Page } from '../../../ui/page.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { useAddressParts } from '../../../ui/use-address-parts.ts'
import { useSettled } from '../../../ui/use-settled.ts'
import { CallError } from '../../client/index.ts'
import { useKnownConnectors } from '../../connections/index.ts'
import { AttributeFilter } from '../filters/attribute-filter.tsx'
import { Choice } from '../filters/choice.tsx'
import { CustomerFilter } from '../filters/customer-filter.tsx'
import { timeOptions } from '../filters/times.ts'
import { isKind, KINDS, wordsOfKind } from '../kinds/kind-words.ts'
import { FeedbackSwitch } from './feedback-switch.tsx'
import { FoundList, InsightLinks } from './found-list.tsx'
import { type FoundPage, useFound } from './found-query.ts'
import { ListProblem, MoreProblem } from './list-problem.tsx'
import { MEANING_WORDS } from './meaning-words.ts'
import { totalText } from './total-in-words.ts'

/** The server's maximum length of a search. */
const MAX_SEARCH_LENGTH = 200
const BY_MEANING = { value: 'meaning', label: 'Words and meaning' }
const KIND_OPTIONS = KINDS.map((kind) => ({ value: kind, label: wordsOfKind(kind).many }))

type Part = 'q' | 'by' | 'ask' | 'source' | 'kind' | 'days' | 'customer' | 'attributes'

const AskPart = lazyPart(async () => (await import('./ask-part.tsx')).AskPart, {
  waiting: () => <div className="skeleton h-24" role="status" aria-label="Loading" />,
})

/**
 * /ungrouped?in=all: all feedback, in an insight or not. `?q=payout` searches, with `by=meaning` also by meaning; `source`, `kind`, `customer`, `attributes`
 * and `days` filter; with `ask=1` a question is asked in place of the search.
 */
export function AllFeedbackPage() {
  const [address, setParts] = useAddressParts<Part>()
  const part = (name: Part) => address.get(name) ?? ''
  const typed = part('q').trim().slice(0, MAX_SEARCH_LENGTH)
  const words = useSettled(typed)
  const kind = isKind(part('kind')) ? part('kind') : ''
  const days = /^[1-9]\d{0,3}$/.test(part('days')) ? Number(part('days')) : null
  const filter = {
    source: part('source'),
    kind: isKind(kind) ? kind : null,
    days,
    customer: part('customer'),
    attributes: part('attributes'),
  }
  const byMeaning = part('by') === BY_MEANING.value
  const asks = part('ask') === '1'
  const found = useFound({ words, meaning: byMeaning, ...filter }, !asks)
  const pages = found.data?.pages ?? []
  const mentions = pages.flatMap((page) => page.mentions)
  const searching = typed !== words || found.isPlaceholderData || found.continues
  const filtered =
    words !== '' || kind !== '' || days !== null || part('source') + part('customer') + part('attributes') !== ''
  const missing = found.error instanceof CallError && found.error.status === 404
  const more =
    found.hasNextPage && !found.isPlaceholderData ? (
      <Button busy={found.isFetching || found.continues} onClick={() => void found.fetchNextPage()}>
        {found.continues ? 'Searching…' : 'Show more'}
      </Button>
    ) : null
  return (
    <Page width="narrow" title="All feedback" actions={<FeedbackSwitch all address={address} />}>
      {missing ? null : (
        <SearchBar asks={asks} part={part} days={days} kind={kind} setParts={setParts}>
          {asks
            ? null
            : searching
              ? 'Searching…'
              : found.data
                ? countText(mentions.length, pages[0]?.total ?? null, filtered, more !== null)
                : null}
        </SearchBar>
      )}
      {asks ? <AskPart filter={filter} words={typed} /> : null}
      {asks || !pages[0] ? null : <PageNotes page={pages[0]} />}
      {asks ? null : mentions.length > 0 ? (
        <>
          <FoundList label="All feedback" feedback={mentions} busy={found.isPlaceholderData} searched={words} />
          {found.isError ? <MoreProblem error={found.error} /> : null}
          {more ? <div className="mt-3 flex flex-col">{more}</div> : null}
        </>
      ) : missing ? (
        <EmptyState title="This list is not available">This server does not support searching all feedback.</EmptyState>
      ) : found.isError ? (
        <ListProblem error={found.error} onRetry={() => void found.refetch()} />
      ) : found.isPending || searching ? (
        <div className="skeleton h-24" role="status" aria-label="Loading" />
      ) : filtered ? (
        <EmptyState
          icon={<Search size={24} aria-hidden />}
          title={more ? 'Nothing found so far' : 'Nothing found'}
          actions={
            <>
              {more}
              {words && !byMeaning ? (
                <Button onClick={() => setParts({ by: BY_MEANING.value })}>Search by meaning too</Button>
              ) : null}
              <Button onClick={() => setParts({ q: '', source: '', kind: '', days: '', customer: '', attributes: '' })}>
                Clear search
              </Button>
            </>
          }
        >
          {words ? `No messages match “${words}”.` : 'No messages match these filters.'}
        </EmptyState>
      ) : (
        <EmptyState
          icon={<MessagesSquare size={24} aria-hidden />}
          title="No feedback yet"
          actions={
            <>
              <Link to="/import" className={buttonClass('primary')}>
                Import a file
              </Link>
              <Link to="/integrations" className={buttonClass()}>
                Connect a source
              </Link>
            </>
          }
        >
          Messages from your sources and files appear here.
        </EmptyState>
      )}
    </Page>
  )
}

type SearchBarProps = {
  /** A question is asked in place of the search. */
  asks: boolean
  /** A part of the address; empty where it has none. */
  part: (name: Part) => string
  days: number | null
  kind: string
  setParts: (parts: Partial<Record<Part, string>>) => void
  /** The status of the list. */
  children: ReactNode
}

/** The search and its filters. */
function SearchBar({ asks, part, days, kind, setParts, children }: SearchBarProps) {
  const searchBox = useRef<HTMLInputElement>(null)
  // Those that are connected, and files, which have no tile.
  const sources = useKnownConnectors()
    .filter(({ manifest, connection }) => manifest.side === 'source' && (connection !== null || !manifest.tile))
    .map(({ manifest: { id, label } }) => ({ value: id, label }))
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-2 gap-y-2">
      {asks ? null : (
        <>
          <div className="w-full sm:w-64">
            <SearchBox
              label="Search all feedback"
              box={searchBox}
              words={part('q')}
              onWords={(next) => setParts({ q: next })}
            />
          </div>
          <Choice
            label="Search by"
            any="By words"
            value={part('by') === BY_MEANING.value ? BY_MEANING.value : ''}
            options={[BY_MEANING]}
            onChoose={(by) => setParts({ by })}
          />
        </>
      )}
      <Choice
        label="Source"
        any="Any source"
        value={part('source')}
        options={sources}
        onChoose={(source) => setParts({ source })}
      />
      <Choice
        label="Kind"
        any="Any kind"
        value={kind}
        options={KIND_OPTIONS}
        onChoose={(next) => setParts({ kind: next })}
      />
      <CustomerFilter chosen={part('customer')} onChoose={(customer) => setParts({ customer })} />
      <AttributeFilter
        chosen={part('attributes')}
        onChoose={(make) => setParts({ attributes: make(part('attributes')) })}
      />
      <Choice
        label="Time"
        any="Any time"
        value={String(days ?? '')}
        options={timeOptions(days)}
        onChoose={(next) => setParts({ days: next })}
      />
      <Button aria-expanded={asks} onClick={() => setParts({ ask: asks ? '' : '1' })}>
        {asks ? 'Back to search' : 'Ask a question'}
      </Button>
      <p role="status" className="ml-auto text-small text-muted tabular-nums">
        {children}
      </p>
    </div>
  )
}

/** How the first page was searched, the insights close to the search, and whether messages are still missing. */
function PageNotes({ page: { meaning, near, complete } }: { page: FoundPage }) {
  return (
    <>
      {meaning && MEANING_WORDS[meaning] ? (
        <p className="mb-3 text-small text-muted">{MEANING_WORDS[meaning]}</p>
      ) : null}
      {near && near.length > 0 ? (
        <p className="mb-3 flex flex-wrap gap-x-3 text-small text-muted">
          Insights closest in meaning: <InsightLinks insights={near} />
        </p>
      ) : null}
      {complete === false ? (
        <p className="mb-3 text-small text-muted">Older messages are being prepared for search and appear here soon.</p>
      ) : null}
    </>
  )
}

/** The status of the list as text. */
function countText(shown: number, total: number | null, filtered: boolean, more: boolean): string {
  if (total === null) return `${shown} found${more ? ' so far' : ''}`
  if (filtered) return `${totalText(total)} found`
  return total === 1 ? '1 message' : `${totalText(total)} messages`
}
