import { expect, test } from 'vitest'
import { pollDeliveries } from './poll-deliveries.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const waiting = (seconds: number) => ({
  state: 'waiting' as const,
  due_at: new Date(NOW + seconds * 1_000).toISOString(),
})
const DELIVERED = { state: 'delivered' as const, due_at: null }
const FAILED = { state: 'failed' as const, due_at: null }

test.each([
  ['none', [], false],
  ['all over', [DELIVERED, FAILED], false],
  ['one under way', [DELIVERED, { state: 'sending' as const, due_at: null }], 1_500],
  ['one due now', [waiting(0), waiting(600)], 1_500],
  ['one retried later, whose result arrives while the dialog is open', [DELIVERED, waiting(5)], 5_000],
])('with deliveries: %s', (_which, deliveries, after) => {
  expect(pollDeliveries(deliveries, NOW)).toBe(after)
})
