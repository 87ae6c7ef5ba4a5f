import type { Import } from '@groundswell/contract/feedback.ts'

/** An import whose first quarter has been read, for tests. */
export const runningImport: Import = {
  id: '00000000-0000-4000-8000-000000000000',
  name: 'f.csv',
  source: null,
  state: 'running',
  added: 0,
  replaced: 0,
  known: 0,
  repeated: 0,
  bad: 0,
  context: 0,
  context_left_out: 0,
  own_by: null,
  own_people: [],
  undated: 0,
  bytes: 4_000_000,
  bytes_read: 1_000_000,
  grouped: 0,
  restorable: 0,
  asks: null,
  problems: [],
  repeats: [],
  error: null,
  started_at: '2026-06-01T00:00:00Z',
  finished_at: null,
}
