import { expect, test } from 'vitest'
import { closedReasonText } from './closed-reason.ts'

const item = { label: 'ENG-12', url: null, state: 'closed', state_name: 'Won’t Do', declined: true } as const

test('the reason of an item that was closed without being done is told, with the tracker', () => {
  expect(closedReasonText(item, 'Jira')).toBe('Closed in Jira: Won’t Do')
  expect(closedReasonText({ ...item, state_name: null }, 'GitHub')).toBe('Closed in GitHub without being done')
})

test.each([
  ['done', { ...item, state_name: 'Done', declined: false }],
  ['of an earlier server', { ...item, declined: undefined }],
  ['open', { ...item, state: 'open' }],
  ['gone', { ...item, state: 'gone' }],
] as const)('nothing is told of an item that is %s', (_, other) => {
  expect(closedReasonText(other, 'Jira')).toBeNull()
})
