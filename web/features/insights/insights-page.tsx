import type { Insight } from '@groundswell/contract/insights.ts'
import { useCallback, useRef, useState } from 'react'
import { useAfterFirstLook } from '../../ui/first-look.ts'
import { lazyDialog, lazyExtra, lazyPart } from '../../ui/loading/lazy-part.tsx'
import { MissingLine, MissingPanel } from '../../ui/loading/missing-part.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { ImportLink, RunningImportHint } from '../feedback/index.ts'
import { useRowActions } from './actions/use-row-actions.ts'
import { withoutFilter, withPart } from './filters/filter.ts'
import { useAddress } from './filters/use-address.ts'
import { useArranged } from './filters/use-arranged.ts'
import { useInsights } from './insight-queries.ts'
import { ListBody } from './table/list-body.tsx'
import { useActiveRow } from './table/use-active-row.ts'
import { useListColumns } from './table/use-list-columns.ts'
import { useSmall } from './table/use-small.ts'
import { useGrouping } from './themes/use-grouping.ts'
import { useListChanges } from './use-list-changes.ts'
import { useSaidBy } from './use-said-by.ts'
import { useVisited } from './visits/use-visited.ts'

// What the first view of the list does not need is loaded after it.
const FilterBar = lazyPart(async () => (await import('./filters/filter-bar.tsx')).FilterBar, {
  missing: (_, __, retry) => <MissingLine what="The filters" onRetry={retry} />,
})
const OpenInsight = lazyPart(async () => (await import('./panel/open-insight.tsx')).OpenInsight, {
  missing: ({ onClose }, error, retry) => <MissingPanel error={error} onRetry={retry} onClose={onClose} />,
})
const PushChoice = lazyDialog(async () => (await import('./actions/push-choice.tsx')).PushChoice)
const ExportDialog = lazyDialog(async () => (await import('./actions/export-dialog.tsx')).ExportDialog)

const VisitStrip = lazyExtra(async () => (await import('./around-table.tsx')).VisitStrip)

const ListNotices = lazyExtra(async () => (await import('./around-table.tsx')).ListNotices)
const BelowTable = lazyExtra(async () => (await import('./around-table.tsx')).BelowTable)

const ThemedTable = lazyPart(async () => (await import('./themes/themed-table.tsx')).ThemedTable)

const SmallFold = lazyExtra(async () => (await import('./around-table.tsx')).SmallFold)

const NONE: readonly Insight[] = []

/** /insights: the list of insights. */
export function InsightsPage() {
  const insights = useInsights()
  const all = insights.data ?? NONE
  const place = useAddress()
  const { filter, sort, list, issue } = place
  const grouping = useGrouping(place)
  const settled = useAfterFirstLook()
  const { since, changes, members, added } = useVisited(insights.data, filter.change, settled)
  const said = useSaidBy(insights, members, filter)
  const { shown, working } = useArranged(said.insights, filter, sort)
  const { rows, small } = useSmall(shown, filter.change === null && !grouping.on)
  const [unfolded, setUnfolded] = useState(false)
  const [exporting, setExporting] = useState(false)
  const listed = (unfolded ? shown : rows) ?? NONE
  const { allTags, isShown, tags } = useListColumns(all)
  const searchBox = useRef<HTMLInputElement>(null)
  const onSearch = useCallback(() => searchBox.current?.focus(), [])
  const { change } = place
  const onEscape = useCallback(() => change((old) => withPart(old, 'change', null)), [change])
  const { active, leaveRow } = useActiveRow({ ...place, rows: listed, onSearch, onEscape })
  const { open, close, filterBy, sortBy } = useListChanges({ ...place, leaveRow })
  const { push, pushing, asked, onPush, onDelete, endAsking } = useRowActions(issue, close)
  const loading = insights.isPending || (!said.failed && shown === null)
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
            words={place.address.get('q') ?? ''}
            onWords={(words) => filterBy((old) => withPart(old, 'words', words))}
          />
          <ImportLink />
        </>
      }
    >
      <div className="flex h-full min-h-0 flex-col">
        {settled ? <RunningImportHint /> : null}
        {settled && shown !== null ? <ListNotices className="mx-4 mb-3 md:mx-6" /> : null}
        {since === null ? null : (
          <div className="h-9 shrink-0">
            {settled && changes ? (
              <VisitStrip
                insights={all}
                sort={sort}
                onSort={sortBy}
                changes={changes}
                chosen={filter.change}
                onChoose={(group) => filterBy((old) => withPart(old, 'change', group))}
              />
            ) : null}
          </div>
        )}
        <div className="h-15 shrink-0 md:h-11">
          {settled && all.length > 0 ? (
            <FilterBar
              insights={all}
              shown={shown?.length ?? 0}
              busy={working}
              filter={filter}
              tags={allTags}
              isShown={isShown}
              onChange={filterBy}
              onSort={sortBy}
              onExport={() => setExporting(true)}
              grouping={grouping}
            />
          ) : null}
        </div>
        <div className="min-h-0 flex-1">
          <ListBody
            loading={loading}
            table={{
              insights: listed,
              list,
              busy: working,
              isShown,
              tags,
              active,
              open: issue,
              added,
              after: small > 0 ? <SmallFold count={small} open={unfolded} onOpen={setUnfolded} /> : null,
              sort,
              onSort: sortBy,
              onOpen: open,
              onPush,
              onDelete,
            }}
            {...(grouping.on ? { Table: ThemedTable } : {})}
            empty={{
              failed: said.failed,
              filtered: all.length > 0,
              words: filter.words,
              onRetry: said.retry,
              onClear: () => filterBy(withoutFilter),
            }}
          />
        </div>
        {settled && shown !== null ? <BelowTable rows={listed} /> : null}
      </div>
      {issue !== null && insights.data ? (
        <OpenInsight
          issue={issue}
          insights={insights.data}
          pushing={pushing === issue}
          onClose={close}
          onPush={onPush}
          onDelete={onDelete}
        />
      ) : null}
      {asked ? <PushChoice insight={asked} onPush={(what) => void push(what)} onClose={endAsking} /> : null}
      {exporting ? <ExportDialog insights={shown ?? NONE} of={all.length} onClose={() => setExporting(false)} /> : null}
    </Page>
  )
}
