import type { Import } from '@groundswell/contract/feedback.ts'
import { formatBytes } from '../../ui/file-size.ts'

const counts = new Intl.NumberFormat()

/** A count for people: `1,204`. */
export function count(value: number): string {
  return counts.format(value)
}

/** How far an import is: its bytes while rows are read, then the rows grouped. */
export function importShare(one: Import): { value: number; total: number | null } {
  if (one.state === 'waiting') return { value: 0, total: null }
  if (one.state === 'running' && one.bytes_read < one.bytes) return { value: one.bytes_read, total: one.bytes }
  if (one.added > 0) return { value: one.grouped, total: one.added }
  return { value: 1, total: 1 }
}

/** The same in words. */
export function importInWords(one: Import): string {
  const rows = one.added + one.known + one.bad
  if (one.state === 'failed') return one.error ?? 'The import stopped.'
  if (one.state === 'waiting') return 'Waiting to start'
  if (one.state === 'running' && one.bytes_read < one.bytes) {
    return `Reading: ${count(rows)} rows, ${formatBytes(one.bytes_read)} of ${formatBytes(one.bytes)}`
  }
  if (one.grouped < one.added) return `Grouping ${count(one.grouped)} of ${count(one.added)}`
  return `${count(one.added)} added, ${count(one.known)} already known, ${count(one.bad)} bad`
}
