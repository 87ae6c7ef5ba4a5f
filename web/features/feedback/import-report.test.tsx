import type { Import } from '@groundswell/contract/feedback.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { ImportReport } from './import-report.tsx'

const id = '00000000-0000-4000-8000-000000000001'
const complete: Import = {
  id,
  name: 'tickets.csv',
  source: { id, name: 'tickets' },
  state: 'done',
  added: 900,
  replaced: 0,
  known: 0,
  repeated: 0,
  bad: 0,
  context: 0,
  context_left_out: 0,
  own_by: null,
  own_people: [],
  undated: 0,
  bytes: 10,
  bytes_read: 10,
  grouped: 900,
  restorable: 0,
  asks: null,
  problems: [],
  repeats: [],
  error: null,
  started_at: '2026-12-01T08:00:00.000Z',
  finished_at: '2026-12-01T08:00:02.000Z',
}

function shown(reading: { done: number; total: number } | null, created = 3): string {
  const client = new QueryClient()
  const effects = { created, grew: 0, others: 0, created_insights: [], grown_insights: [] }
  client.setQueryData(['imports', id], complete)
  client.setQueryData(['imports', id, 'insights'], effects)
  client.setQueryData(['meaning-progress'], reading)
  const page = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <ImportReport id={id} onAnother={() => {}} onUndone={() => {}} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  client.clear()
  return page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

test('an import whose messages are still read for meaning does not call its numbers final', () => {
  const early = shown({ done: 200, total: 900 })
  expect(early).toContain('Done. Everything is imported, and grouped by its words.')
  expect(early).toContain(
    '200 of 900 messages have been read for meaning. These numbers can change until all of them have.',
  )
  expect(shown({ done: 200, total: 900 }, 0)).toContain('No insights were created or grew yet.')
})

test('the numbers of an import that is read are final', () => {
  const late = shown(null)
  expect(late).toContain('Done. Everything is imported and grouped.')
  expect(late).not.toContain('can change')
  expect(shown(null, 0)).toContain('No insights were created or grew.')
})
