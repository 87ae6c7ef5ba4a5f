import type { Insight } from '@groundswell/contract/insights.ts'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useAfterFirstLook } from '../../ui/first-look.ts'
import { lazyDialog, lazyExtra, lazyPart } from '../../ui/lazy-part.tsx'
import { MissingLine, MissingPanel } from '../../ui/missing-part.tsx'
import { Page } from '../../ui/page.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { ImportLink, RunningImportHint } from '../feedback/index.ts'
import { useInsightActions } from './actions/use-insight-actions.ts'
import { withoutFilter, withPart } from './filters/filter.ts'
import { SearchBox } from './filters/search-box.tsx'
import { useAddress } from './filters/use-address.ts'
import { useArranged } from './filters/use-arranged.ts'
import { useInsights } from './insight-queries.ts'
import { tagNames, useColumns } from './table/column-choice.ts'
import { InsightsTable } from './table/insights-table.tsx'
import { NothingToShow } from './table/nothing-to-show.tsx'
import type { Sort } from './table/sort.ts'
import { useRowKeys } from './table/use-row-keys.ts'
import { useWide } from './table/use-wide.ts'

// What the first look at the list does not need comes after it.
const FilterBar = lazyPart(async () => (await import('./filters/filter-bar.tsx')).FilterBar, {
  missing: (_, __, retry) => <MissingLine what="The filters" onRetry={retry} />,
})
const OpenInsight = lazyPart(async () => (await import('./panel/open-insight.tsx')).OpenInsight, {
  missing: ({ onClose }, error, retry) => <MissingPanel error={error} onRetry={retry} onClose={onClose} />,
})
const PushChoice = lazyDialog(async () => (await import('./actions/push-choice.tsx')).PushChoice)
const KeysDialog = lazyDialog(async () => (await import('./table/keys-dialog.tsx')).KeysDialog)

const HeldBanner = lazyExtra(async () => (await import('../deliveries/index.ts')).HeldBanner)

const NONE: readonly Insight[] = []

/** /insights: what recurs in the feedback. */
export function InsightsPage() {
  const insights = useInsights()
  const all = insights.data ?? NONE
  const { address, filter, sort, list, issue, setIssue, setSort, change } = useAddress()
  const { shown, working } = useArranged(insights.data, filter, sort)
  const allTags = useMemo(() => tagNames(all), [all])
  const columns = useColumns(allTags)
  const wide = useWide()
  const { push, remove, pushing } = useInsightActions()
  const [asked, setAsked] = useState<Insight | null>(null)
  const [help, setHelp] = useState(false)
  const searchBox = useRef<HTMLInputElement>(null)

  const [active, setActive] = useState(-1)
  const keyRow = useRef(-1)
  const setKeyRow = useCallback((index: number) => {
    keyRow.current = index
    setActive(index)
  }, [])

  const open = useCallback(
    (insight: Insight) => {
      setKeyRow(-1)
      setIssue(insight.issue_number)
    },
    [setIssue, setKeyRow],
  )
  const close = useCallback(() => setIssue(null), [setIssue])
  const deleteOne = useCallback(
    (insight: Insight) => {
      if (insight.issue_number === issue) close()
      void remove(insight)
    },
    [remove, close, issue],
  )
  const restart = useCallback(
    (make: (address: URLSearchParams) => URLSearchParams) => {
      setKeyRow(-1)
      change(make)
    },
    [change, setKeyRow],
  )
  const sortBy = useCallback(
    (next: Sort) => {
      setKeyRow(-1)
      setSort(next)
    },
    [setSort, setKeyRow],
  )

  useRowKeys({
    onMove: useCallback(
      (step) => {
        const rows = shown ?? NONE
        const current = keyRow.current < 0 ? rows.findIndex((one) => one.issue_number === issue) : keyRow.current
        const next = Math.min(rows.length - 1, Math.max(0, current + step))
        setKeyRow(next)
        const insight = rows[next]
        if (issue !== null && insight) setIssue(insight.issue_number)
      },
      [shown, issue, setIssue, setKeyRow],
    ),
    onSearch: useCallback(() => searchBox.current?.focus(), []),
    onHelp: useCallback(() => setHelp(true), []),
  })

  const settled = useAfterFirstLook()
  const loading = insights.isPending || (insights.data !== undefined && shown === null)
  return (
    <Page
      fill
      title="Insights"
      usable={!loading}
      actions={
        <>
          <SearchBox
            label="Search insights"
            shortcut="/"
            box={searchBox}
            words={address.get('q') ?? ''}
            onWords={(words) => restart((old) => withPart(old, 'words', words))}
          />
          <ImportLink />
        </>
      }
    >
      <div className="flex h-full min-h-0 flex-col">
        {settled ? <RunningImportHint /> : null}
        {settled && shown !== null ? <HeldBanner className="mx-4 mb-3 md:mx-6" /> : null}
        <div className="h-15 shrink-0 md:h-11">
          {settled && all.length > 0 ? (
            <FilterBar
              insights={all}
              shown={shown?.length ?? 0}
              busy={working}
              filter={filter}
              tags={allTags}
              isShown={columns.shown}
              onChange={restart}
              onHelp={() => setHelp(true)}
            />
          ) : null}
        </div>
        <div className="min-h-0 flex-1">
          {loading ? (
            <div className="border-t border-line bg-surface">
              <TableSkeleton label="Insights" columns={['Name', 'Status', 'Updated']} />
            </div>
          ) : shown && shown.length > 0 ? (
            <InsightsTable
              insights={shown}
              list={list}
              busy={working}
              isShown={columns.shown}
              tags={wide ? columns.tags : NO_TAGS}
              sort={sort}
              onSort={sortBy}
              active={active}
              open={issue}
              onOpen={open}
              onPush={setAsked}
              onDelete={deleteOne}
            />
          ) : (
            <NothingToShow
              failed={insights.data === undefined}
              filtered={all.length > 0}
              words={filter.words}
              onRetry={() => void insights.refetch()}
              onClear={() => restart(withoutFilter)}
            />
          )}
        </div>
      </div>
      {issue !== null && insights.data ? (
        <OpenInsight
          issue={issue}
          insights={insights.data}
          pushing={pushing === issue}
          onClose={close}
          onPush={setAsked}
          onDelete={deleteOne}
        />
      ) : null}
      {asked ? <PushChoice insight={asked} onPush={(what) => void push(what)} onClose={() => setAsked(null)} /> : null}
      {help ? <KeysDialog onClose={() => setHelp(false)} /> : null}
    </Page>
  )
}

const NO_TAGS: readonly string[] = []
