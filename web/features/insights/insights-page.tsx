import type { Insight } from '@groundswell/contract/insights.ts'
import { Search, Waves } from 'lucide-react'
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Input } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { ImportLink, RunningImportHint } from '../feedback/index.ts'
import { useInsightActions, useInsights } from './insight-queries.ts'
import { InsightsTable } from './insights-table.tsx'
import { searchInsights } from './search.ts'
import { DEFAULT_SORT, sortInsights } from './sort.ts'
import { useRowKeys } from './use-row-keys.ts'

const InsightPanel = lazy(async () => ({ default: (await import('./insight-panel.tsx')).InsightPanel }))

/** /insights: what recurs in the feedback. `?issue=42` opens one, `?q=` filters. */
export function InsightsPage() {
  const insights = useInsights()
  const { push, remove } = useInsightActions()
  const [address, setAddress] = useSearchParams()
  const [sort, setSort] = useState(DEFAULT_SORT)
  const [active, setActive] = useState(-1)
  const keyRow = useRef(-1)
  const setKeyRow = useCallback((index: number) => {
    keyRow.current = index
    setActive(index)
  }, [])
  const searchBox = useRef<HTMLInputElement>(null)

  const query = useDeferredValue(address.get('q') ?? '')
  const shown = useMemo(
    () => sortInsights(searchInsights(insights.data ?? [], query), sort),
    [insights.data, query, sort],
  )
  const openNumber = Number(address.get('issue')) || null
  const opened = openNumber === null ? undefined : insights.data?.find((one) => one.issue_number === openNumber)

  const setPart = useCallback(
    (name: 'q' | 'issue', value: string | null) =>
      setAddress(
        (old) => {
          const next = new URLSearchParams(old)
          if (value) next.set(name, value)
          else next.delete(name)
          return next
        },
        { replace: true },
      ),
    [setAddress],
  )
  const open = useCallback(
    (insight: Insight) => {
      setKeyRow(-1)
      setPart('issue', String(insight.issue_number))
    },
    [setPart, setKeyRow],
  )
  const close = useCallback(() => setPart('issue', null), [setPart])
  const deleteOne = useCallback(
    (insight: Insight) => {
      if (insight.issue_number === openNumber) close()
      remove(insight)
    },
    [remove, close, openNumber],
  )

  useRowKeys({
    onMove: useCallback(
      (step) => {
        const current = keyRow.current < 0 ? shown.findIndex((one) => one.issue_number === openNumber) : keyRow.current
        const next = Math.min(shown.length - 1, Math.max(0, current + step))
        setKeyRow(next)
        const insight = shown[next]
        if (openNumber !== null && insight) setPart('issue', String(insight.issue_number))
      },
      [shown, openNumber, setPart, setKeyRow],
    ),
    onSearch: useCallback(() => searchBox.current?.focus(), []),
  })

  const nothingYet = insights.data?.length === 0
  return (
    <Page
      fill
      title="Insights"
      actions={
        <>
          <div className="relative order-last w-full sm:order-none sm:w-64">
            <Search
              size={14}
              aria-hidden
              className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
            />
            <Input
              ref={searchBox}
              type="search"
              aria-label="Search insights"
              aria-keyshortcuts="/"
              placeholder="Search"
              className="pl-8"
              defaultValue={address.get('q') ?? ''}
              onChange={(event) => {
                setKeyRow(-1)
                setPart('q', event.target.value)
              }}
              onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
            />
          </div>
          <ImportLink />
        </>
      }
    >
      <div className="flex h-full min-h-0 flex-col">
        <Suspense>
          <RunningImportHint />
        </Suspense>
        <div className="min-h-0 flex-1">
          {insights.isPending ? (
            <div className="border-t border-line bg-surface">
              <TableSkeleton label="Insights" columns={['Name', 'Status', 'Updated']} />
            </div>
          ) : shown.length > 0 ? (
            <InsightsTable
              insights={shown}
              sort={sort}
              onSort={(next) => {
                setKeyRow(-1)
                setSort(next)
              }}
              active={active}
              open={openNumber}
              onOpen={open}
              onPush={push}
              onDelete={deleteOne}
            />
          ) : insights.data && !nothingYet ? (
            <EmptyState icon={<Search size={24} aria-hidden />} title="Nothing found">
              No insight holds “{query}”.
            </EmptyState>
          ) : nothingYet ? (
            <NothingYet />
          ) : (
            <EmptyState icon={<Waves size={24} aria-hidden />} title="No insights to show">
              The server did not answer. This page keeps asking by itself.
            </EmptyState>
          )}
        </div>
      </div>
      {opened ? (
        <Suspense>
          <InsightPanel insight={opened} onClose={close} onPush={push} onDelete={deleteOne} />
        </Suspense>
      ) : null}
    </Page>
  )
}

function NothingYet() {
  return (
    <EmptyState
      icon={<Waves size={24} aria-hidden />}
      title="No insights yet"
      actions={
        <>
          <ImportLink look="primary" />
          <Link to="/integrations" className={buttonClass()}>
            Connect a source
          </Link>
        </>
      }
    >
      An insight appears as soon as two messages say the same thing. Bring some feedback in to begin.
    </EmptyState>
  )
}
