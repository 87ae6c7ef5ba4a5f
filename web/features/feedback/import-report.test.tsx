import type { Import } from '@groundswell/contract/feedback.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { ImportReport } from './import-report.tsx'
import { MEANING_PROGRESS } from './meaning-query.ts'
import { runningImport } from './testing.ts'

const { id, bytes } = runningImport
const complete: Import = { ...runningImport, state: 'done', added: 900, grouped: 900, bytes_read: bytes }

function shown(reading: { done: number; total: number } | null, created = 3): string {
  const client = new QueryClient()
  const effects = { created, grew: 0, others: 0, created_insights: [], grown_insights: [] }
  client.setQueryData(['imports', id], complete)
  client.setQueryData(['imports', id, 'insights'], effects)
  client.setQueryData(MEANING_PROGRESS, reading)
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
