import { type Delivery, WaitReason } from '@groundswell/contract/deliveries.ts'
import { expect, test } from 'vitest'
import { formatMoment } from '../../ui/moment.ts'
import { waitInWords } from './wait-words.ts'

const AT = '2026-11-22T21:30:00Z'
const delivery = (over: Partial<Delivery>): Delivery => ({
  id: 'd',
  event_id: 'e',
  destination: 'webhook',
  issue_number: 1,
  issue_name: 'Export fails',
  event: 'insight.created',
  state: 'waiting',
  attempts: 1,
  last_status: null,
  last_error: null,
  next_attempt_at: null,
  created_at: AT,
  delivered_at: null,
  ...over,
})

test('a delivery that waits says why, and when it is tried next where that is known', () => {
  expect(waitInWords(delivery({ waits_for: 'retry-after', next_attempt_at: AT }))).toBe(
    `Webhook asked to wait. Next attempt ${formatMoment(AT)}.`,
  )
  expect(waitInWords(delivery({ waits_for: 'hourly', next_attempt_at: AT }))).toContain(formatMoment(AT))
  expect(waitInWords(delivery({ waits_for: 'held' }))).toContain('stays held until you push it')
  expect(waitInWords(delivery({ waits_for: 'signed-out' }))).toContain('reconnected')
  for (const reason of WaitReason.options) expect(waitInWords(delivery({ waits_for: reason }))).toMatch(/\.$/)
})

test('one that does not wait says nothing; a server that gives no reason still has its time shown', () => {
  expect(waitInWords(delivery({ state: 'delivered', waits_for: null }))).toBeNull()
  expect(waitInWords(delivery({}))).toBeNull()
  expect(waitInWords(delivery({ next_attempt_at: AT }))).toBe(`Next attempt ${formatMoment(AT)}.`)
})
