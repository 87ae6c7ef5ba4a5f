import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { attempt } from './attempt.ts'

test('a reply from before the change is not shown as fresh after it', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } })
  const old = Promise.withResolvers<string>()
  const asked = client.fetchQuery({ queryKey: ['evidence', 1], queryFn: () => old.promise }).catch(() => undefined)
  await attempt(client, 'Not changed', [['evidence']], async () => {})
  old.resolve('before the change')
  await asked
  expect(await client.fetchQuery({ queryKey: ['evidence', 1], queryFn: async () => 'after it' })).toBe('after it')
})
