import type { AuditEntry } from '@groundswell/contract/audit.ts'
import { csvCell } from '@groundswell/contract/values/csv-cell.ts'
import { inWorkspace, type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { allWorkspaces } from '../../platform/sweep/store.ts'
import { type AuditFilter, readEvents } from './store.ts'

type AuditFormat = 'csv' | 'jsonl'

const PAGE = 1000
const COLUMNS = [
  'id',
  'at',
  'action',
  'actor',
  'actor_id',
  'account_id',
  'target',
  'detail',
  'address',
  'agent',
] as const

/** A page of entries at a time, newest first, at most `most` of them. */
export async function* pagesOf(
  read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  filter: Omit<AuditFilter, 'limit' | 'before'>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<AuditEntry[]> {
  let before: number | undefined
  for (let left = most; left > 0; ) {
    const limit = Math.min(PAGE, left)
    const page = await read((tx) => readEvents(tx, { ...filter, before, limit }))
    if (page.length > 0) yield page
    if (page.length < limit) return
    left -= page.length
    before = Number(page.at(-1)?.id)
  }
}

/** The whole log of an installation, workspace by workspace, then what belongs to none. For its operator. */
export async function* wholeLog(services: Services): AsyncGenerator<AuditEntry & { workspace_id: string | null }> {
  for (const id of await withoutWorkspace(services.db, allWorkspaces)) {
    for await (const page of pagesOf((work) => inWorkspace(services.db, id, work), {})) {
      for (const entry of page) yield { ...entry, workspace_id: id }
    }
  }
  for await (const page of pagesOf((work) => withoutWorkspace(services.db, work), {})) {
    for (const entry of page) yield { ...entry, workspace_id: null }
  }
}

/** The first line of a CSV file; JSONL has none. `more` are columns after the usual ones. */
export function headOf(format: AuditFormat, more: readonly string[] = []): string {
  return format === 'csv' ? `${[...COLUMNS, ...more].join(',')}\r\n` : ''
}

/** One entry as a line of a file. */
export function lineOf(format: AuditFormat, entry: AuditEntry, more: readonly (string | null)[] = []): string {
  if (format === 'jsonl') return `${JSON.stringify(entry)}\n`
  const cells = COLUMNS.map((column) => {
    const value = entry[column]
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  })
  return `${[...cells, ...more].map(csvCell).join(',')}\r\n`
}
