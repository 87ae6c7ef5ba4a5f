import { type AuditEntry, exportAudit, listAudit } from '@groundswell/contract/audit.ts'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { Page } from '../../../ui/page.tsx'
import { HeadRow } from '../../../ui/table/head-row.tsx'
import { TableSkeleton } from '../../../ui/table/table-skeleton.tsx'
import { formatMoment } from '../../../ui/text/moment.ts'
import { saveText } from '../../../ui/text/save-file.ts'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { ACTIONS, actionInWords, detailInWords } from './audit-words.ts'

const COLUMNS = [
  { label: 'What', className: 'h-9 px-4' },
  { label: 'Who', className: 'px-2' },
  { label: 'From', className: 'hidden px-2 lg:table-cell' },
  { label: 'When', className: 'hidden w-44 px-2 md:table-cell' },
]

const DAY_MS = 86_400_000
const SPANS = [
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['', 'All time'],
] as const

type Filter = { action?: string; since?: string }

function filterOf(address: URLSearchParams): Filter {
  const action = address.get('action')
  const days = Number(address.get('days'))
  return {
    ...(action ? { action } : {}),
    ...(days > 0 ? { since: new Date(Date.now() - days * DAY_MS).toISOString() } : {}),
  }
}

/** /admin/audit: who did what, when and from where; the filters are in the address. */
export function AuditPage() {
  const [address, setAddress] = useSearchParams()
  const log = useInfiniteQuery({
    queryKey: ['audit', address.toString()],
    queryFn: ({ pageParam }) =>
      call(listAudit, { query: { ...filterOf(address), ...(pageParam === null ? {} : { cursor: pageParam }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  const take = useMutation({
    mutationFn: () => call(exportAudit, { query: { ...filterOf(address), format: 'csv' } }),
    onSuccess: (file) => saveText('groundswell-audit-log.csv', file, 'text/csv'),
    onError: (error) => toast({ title: 'Export failed', description: error.message, tone: 'destructive' }),
  })
  const choose = (name: string) => (event: { target: { value: string } }) =>
    setAddress(
      (old) => {
        const next = new URLSearchParams(old)
        if (event.target.value === '') next.delete(name)
        else next.set(name, event.target.value)
        return next
      },
      { replace: true },
    )
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Page
      title="Audit log"
      lead="Who did what, when, and from where."
      actions={
        <Button busy={take.isPending} disabled={entries.length === 0} onClick={() => take.mutate()}>
          <Download size={14} aria-hidden /> Export as CSV
        </Button>
      }
    >
      <div className="mb-3 flex flex-wrap gap-2">
        <Field label="What" hideLabel>
          {(ids) => (
            <Select {...ids} value={address.get('action') ?? ''} onChange={choose('action')} className="w-56">
              <option value="">Everything</option>
              {ACTIONS.map(([action, words]) => (
                <option key={action} value={action}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="When" hideLabel>
          {(ids) => (
            <Select {...ids} value={address.get('days') ?? ''} onChange={choose('days')} className="w-40">
              {SPANS.map(([days, words]) => (
                <option key={days} value={days}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {log.isPending ? (
        <TableSkeleton label="Audit log" columns={['What', 'Who', 'When']} />
      ) : log.isError && !log.data ? (
        <EmptyState
          title="The audit log could not be loaded"
          actions={<Button onClick={() => void log.refetch()}>Try again</Button>}
        >
          {log.error.message}
        </EmptyState>
      ) : entries.length === 0 ? (
        <EmptyState icon={<ScrollText size={24} aria-hidden />} title="No matching events">
          No events match these filters.
        </EmptyState>
      ) : (
        <>
          <AuditTable entries={entries} />
          {log.hasNextPage ? (
            <Button className="mt-3" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              Show older
            </Button>
          ) : null}
        </>
      )}
    </Page>
  )
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <div className="overflow-hidden rounded border border-line bg-surface">
      <table className="w-full table-fixed border-collapse">
        <HeadRow columns={COLUMNS} />
        <tbody>
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const { action, actor, target, detail, address, agent, at } = entry
  const more = [target, detailInWords(detail)].filter((part) => part).join(' · ')
  return (
    <tr className="border-b border-line align-top last:border-0">
      <td className="px-4 py-2.5">
        <p className="font-medium">{actionInWords(action)}</p>
        {more ? (
          <p className="text-small break-words text-muted" dir="auto">
            {more}
          </p>
        ) : null}
        <p className="text-small text-muted md:hidden">{formatMoment(at)}</p>
      </td>
      <td className="truncate px-2 py-2.5" dir="auto" title={actor}>
        {actor}
      </td>
      <td className="hidden px-2 py-2.5 lg:table-cell">
        <p>{address ?? '–'}</p>
        {agent ? (
          <p className="truncate text-small text-muted" title={agent}>
            {agent}
          </p>
        ) : null}
      </td>
      <td className="hidden px-2 py-2.5 whitespace-nowrap text-muted md:table-cell">{formatMoment(at)}</td>
    </tr>
  )
}
