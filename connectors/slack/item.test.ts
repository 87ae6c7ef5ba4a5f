import { describe, expect, it } from 'vitest'
import { hasFilesOnly, isFeedback, mentionsOf, toItem, versionOf } from './item.ts'
import type { SlackSettings } from './manifest.ts'
import { Message } from './schema.ts'

const settings: SlackSettings = {
  team_id: 'T1',
  team: 'Acme',
  workspace_url: 'https://acme.slack.com',
  bot_id: 'B1',
  bot_user_id: 'UBOT',
}
const place = { id: 'C1', name: 'feedback' }
const message = (more: Record<string, unknown> = {}) =>
  Message.parse({ type: 'message', ts: '1772366400.000100', user: 'U1', text: 'it broke', ...more })
const item = (more?: Record<string, unknown>, given = settings) =>
  toItem(message(more), place, given, new Map([['U1', 'Ann']]))

describe('an item', () => {
  it('has everything that is known of a message', () => {
    expect(item()).toEqual({
      externalId: 'T1:C1:1772366400.000100',
      text: 'it broke',
      author: 'Ann',
      at: new Date('2026-03-01T12:00:00.000Z'),
      link: 'https://acme.slack.com/archives/C1/p1772366400000100',
      thread: 'T1:C1:1772366400.000100',
      place: '#feedback',
    })
  })

  it('of a reply has the thread of its root, and a link into it', () => {
    const root = item({ thread_ts: '1772366400.000100', reply_count: 1 })
    const reply = item({ ts: '1772366460.000200', thread_ts: '1772366400.000100' })
    expect(reply.thread).toBe(root.thread)
    expect(root.link).toBe('https://acme.slack.com/archives/C1/p1772366400000100')
    expect(reply.link).toBe('https://acme.slack.com/archives/C1/p1772366460000200?thread_ts=1772366400.000100&cid=C1')
  })

  it.each([
    [{ user: 'U2' }, 'U2'],
    [{ user: null, username: 'Zendesk', bot_id: 'B2' }, 'Zendesk'],
    [{ user: undefined, bot_id: 'B2' }, 'B2'],
    [{ user: null }, null],
  ])('written by %j is by %s', (more, author) => {
    expect(item(more).author).toBe(author)
  })

  it('of an author from another workspace has the name that came with it, unless there is a better one', () => {
    const profile = (display_name: string) => ({ user: 'U2', user_profile: { display_name, real_name: 'Eve Long' } })
    expect(item(profile('eve')).author).toBe('eve')
    expect(item(profile('')).author).toBe('Eve Long')
    expect(item({ ...profile('x'), user: 'U1' }).author).toBe('Ann')
    expect(toItem(message(profile('eve')), place, settings, new Map([['U2', 'U2']])).author).toBe('eve')
    expect(item({ user: 'U2', user_profile: 'none' }).author).toBe('U2')
  })

  it('has the version of its last edit, in microseconds', () => {
    expect(item()).not.toHaveProperty('version')
    expect(item({ edited: { user: 'U1', ts: '1772366401.000200' } }).version).toBe(1_772_366_401_000_200)
    expect(versionOf('1.1')).toBe(1_100_000)
  })

  it('has no link or place where they are unknown', () => {
    expect(item({}, { ...settings, workspace_url: null }).link).toBeNull()
    expect(toItem(message(), { id: 'C1', name: null }, settings, new Map()).place).toBeNull()
  })
})

describe('feedback', () => {
  const notices = [
    'channel_join',
    'channel_leave',
    'group_join',
    'channel_topic',
    'pinned_item',
    'tombstone',
    'of_next_year',
  ]
  const cases: [Record<string, unknown>, boolean][] = [
    [{}, true],
    [{ subtype: 'thread_broadcast' }, true],
    [{ subtype: 'me_message' }, true],
    [{ subtype: 'bot_message', bot_id: 'B2', user: null }, true],
    [{ bot_id: 'B1' }, false],
    [{ user: 'UBOT' }, false],
    [{ hidden: true }, false],
    [{ text: ' \n ' }, false],
    [{ text: null }, false],
    [{ text: '', attachments: [{ text: 'in an attachment' }] }, true],
    [{ text: '', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'in a block' } }] }, true],
    [{ text: '', blocks: [{ type: 'divider' }], attachments: [{ color: 'red' }] }, false],
    ...notices.map((subtype): [Record<string, unknown>, boolean] => [{ subtype }, false]),
  ]
  it.each(cases)('%j: %s', (more, is) => {
    expect(isFeedback(message(more), settings)).toBe(is)
  })

  it('of a bot is feedback where our own bot is unknown', () => {
    const unknown = { ...settings, bot_id: null, bot_user_id: undefined }
    expect(isFeedback(message({ bot_id: 'B1' }), unknown)).toBe(true)
    expect(isFeedback(message({ bot_id: null, user: null }), unknown)).toBe(true)
  })
})

it('lists authors, and mentioned people and channels', () => {
  const messages = [
    message({ text: 'ask <@U2> or <@U3|x> in <#C1> or <#C2|bugs>, not <!here> or &lt;@U4&gt;' }),
    message({ user: null, text: '<@U2>' }),
    message({ user: 'U5', user_profile: { display_name: 'Eve' } }),
  ]
  const { people, channels } = mentionsOf(messages)
  expect([...people]).toEqual(['U1', 'U2', 'U3'])
  expect([...channels]).toEqual(['C1', 'C2'])
})

it.each([
  [{ text: '', files: [{ id: 'F1' }], subtype: 'file_share' }, true],
  [{ text: '', files: [{ id: 'F1' }] }, true],
  [{ text: 'See', files: [{ id: 'F1' }] }, false],
  [{ text: '', files: [] }, false],
  [{ text: '', files: [{ id: 'F1' }], subtype: 'channel_join' }, false],
])('a message that consists of files only is counted: %j', (message, isCounted) => {
  expect(hasFilesOnly(Message.parse({ ts: '1.000001', ...message }))).toBe(isCounted)
})
