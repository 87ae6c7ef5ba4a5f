import { type Delivery, WaitReason } from '@groundswell/contract/deliveries.ts'
import { expect, test } from 'vitest'
import { formatMoment } from '../../ui/text/moment.ts'
import { failureText, isUnderWay, waitText } from './wait-words.ts'

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

test('a waiting delivery shows why, and when it is tried next where that is known', () => {
  expect(waitText(delivery({ waits_for: 'retry-after', next_attempt_at: AT }), 'Webhook')).toBe(
    `Webhook asked to wait. Next attempt ${formatMoment(AT)}.`,
  )
  expect(waitText(delivery({ waits_for: 'hourly', next_attempt_at: AT }), 'Webhook')).toContain(formatMoment(AT))
  expect(waitText(delivery({ waits_for: 'held' }), 'Webhook')).toContain('stays held until you push it')
  expect(waitText(delivery({ waits_for: 'signed-out' }), 'Webhook')).toContain('reconnected')
  for (const reason of WaitReason.options) expect(waitText(delivery({ waits_for: reason }), 'Webhook')).toMatch(/\.$/)
})

test('a delivery that does not wait has no text; without a reason its time is still shown', () => {
  expect(waitText(delivery({ state: 'delivered', waits_for: null }), 'Webhook')).toBeNull()
  expect(waitText(delivery({}), 'Webhook')).toBeNull()
  expect(waitText(delivery({ next_attempt_at: AT }), 'Webhook')).toBe(`Next attempt ${formatMoment(AT)}.`)
})

test.each([
  [
    'waiting',
    'retry',
    `It was delivered, and is sent again. The last attempt failed. Next attempt ${formatMoment(AT)}.`,
  ],
  ['sending', null, 'It is being sent again.'],
  ['failed', null, 'It was delivered. Sending it again failed.'],
] as const)('what was delivered says how sending it again goes: %s', (again, waits_for, text) => {
  const resent = delivery({ state: 'delivered', again, waits_for, next_attempt_at: AT, last_error: 'It answered 503' })
  expect(waitText(resent, 'Webhook')).toBe(text)
  expect(failureText(resent)).toBe('It answered 503')
  expect(isUnderWay(resent)).toBe(again !== 'failed')
})

test('the failure of an earlier attempt is not shown once it was delivered', () => {
  const delivered = delivery({ state: 'delivered', last_error: 'It answered 503' })
  expect([failureText(delivered), isUnderWay(delivered)]).toEqual([null, false])
  expect(failureText(delivery({ last_error: 'It answered 503' }))).toBe('It answered 503')
})
