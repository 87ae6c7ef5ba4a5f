import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mentionedIn, messageText } from './message-text.ts'
import { Message } from './schema.ts'

const names = new Map([
  ['U1', 'Ann Lee'],
  ['C1', 'bug_reports'],
])
const parse = (more: Record<string, unknown>) => Message.parse({ ts: '1772366400.000100', text: '', ...more })
const shown = (more: Record<string, unknown>) => messageText(parse(more), names)
const bot = (blocks: unknown, more: Record<string, unknown> = {}) => shown({ bot_id: 'B2', blocks, ...more })
const rich = (...elements: unknown[]) => bot([{ type: 'rich_text', elements }])
const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements })
const word = (text: string) => ({ type: 'text', text })

describe('the words of a message', () => {
  it('of a helpdesk’s bot are the ticket, not only its notification', () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'New ticket :ticket-7: &amp; more', emoji: true } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '*Export* fails for <@U1>, see <https://a.example/7|#7>' },
        fields: [
          { type: 'mrkdwn', text: '*Plan*\nPro' },
          { type: 'plain_text', text: 'Since :tada:' },
        ],
        accessory: { type: 'button', text: { type: 'plain_text', text: 'Open' } },
      },
      { type: 'divider' },
      {
        type: 'context',
        elements: [
          { type: 'image', image_url: 'https://a.example/x.png', alt_text: 'a face' },
          { type: 'mrkdwn', text: 'from *Bob*' },
          { type: 'plain_text', text: 'today' },
        ],
      },
      { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Close' } }] },
    ]
    expect(bot(blocks, { text: 'New ticket' })).toBe(
      'New ticket :ticket-7: & more\nExport fails for @Ann Lee, see #7 (https://a.example/7)\nPlan\nPro\nSince 🎉\nfrom Bob today',
    )
  })

  it('of a message without text are those of its blocks', () => {
    expect(shown({ text: null, blocks: [{ type: 'rich_text', elements: [section(word('typed'))] }] })).toBe('typed')
    expect(bot([{ type: 'markdown', text: '**It** broke\n' }])).toBe('**It** broke')
  })

  it('of a person are the text, once, although Slack makes blocks of it', () => {
    const blocks = [{ type: 'rich_text', elements: [section(word('It broke'))] }]
    expect(shown({ text: 'It *broke*', user: 'U1', blocks })).toBe('It broke')
  })

  it('of an app whose blocks have no words are its text', () => {
    expect(bot([{ type: 'image', alt_text: 'a chart' }, { type: 'of_next_year' }], { text: 'The export fails' })).toBe(
      'The export fails',
    )
  })

  it('include attachments after the text: title, text, fields and blocks', () => {
    const attachments = [
      {
        pretext: 'Ticket 7 was *opened*',
        title: 'Export',
        text: 'It &lt;fails&gt;',
        fields: [{ title: 'Priority', value: 'high' }, { title: '', value: 'Pro' }, { title: 'Empty' }, 'none'],
        fallback: 'not shown',
        footer: 'Helpdesk',
      },
      {
        blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'in a block' } }],
        fallback: '[no preview available]',
      },
      { fallback: 'A form' },
      { fallback: '[no preview available]', color: 'red' },
    ]
    expect(shown({ text: 'New ticket', bot_id: 'B2', attachments })).toBe(
      'New ticket\nTicket 7 was opened\nExport\nIt <fails>\nPriority: high\nPro\nEmpty\nin a block\nA form',
    )
  })

  it('leave out previews of links, and include what was forwarded', () => {
    const preview = { from_url: 'https://a.example', title: 'A page', text: 'Words of a page' }
    const shared = { from_url: 'https://acme.slack.com/archives/C1/p1', is_share: true, text: 'Words of a customer' }
    expect(shown({ text: 'look: <https://a.example>', attachments: [preview] })).toBe('look: https://a.example')
    expect(shown({ text: '', attachments: [shared] })).toBe('Words of a customer')
    expect(shown({ text: 'fyi', attachments: [preview, shared] })).toBe('fyi\nWords of a customer')
    expect(shown({ text: '', attachments: [preview] })).toBe('A page\nWords of a page')
  })
})

describe('rich text', () => {
  it.each([
    ['a section', [section(word('a *b* '), { ...word('bold'), style: { bold: true } })], 'a *b* bold'],
    ['links', [section({ type: 'link', url: 'https://a.example', text: 'here' })], 'here (https://a.example)'],
    ['bare links', [section({ type: 'link', url: 'https://a.example' })], 'https://a.example'],
    ['addresses', [section({ type: 'link', url: 'mailto:a@b.example', text: 'a@b.example' })], 'a@b.example'],
    [
      'names',
      [section({ type: 'user', user_id: 'U1' }, word(' in '), { type: 'channel', channel_id: 'C1' }, word('!'))],
      '@Ann Lee in #bug_reports!',
    ],
    ['unknown names', [section({ type: 'user', user_id: 'U9' })], '@U9'],
    ['groups', [section({ type: 'broadcast', range: 'here' }, word(' '), { type: 'usergroup' })], '@here @group'],
    ['emoji', [section({ type: 'emoji', name: '+1', unicode: '1f44d-1f3fb' })], '👍🏻'],
    ['emoji by name', [section({ type: 'emoji', name: 'tada' }, { type: 'emoji', name: 'our-own' })], '🎉:our-own:'],
    ['emoji that are none', [section({ type: 'emoji', name: 'tada', unicode: 'ffffffff' })], '🎉'],
    ['dates', [section({ type: 'date', timestamp: 1, format: '{date}', fallback: 'May 1' })], 'May 1'],
    ['code', [{ type: 'rich_text_preformatted', elements: [word('if (a_b_c)\n  *p = 1')] }], 'if (a_b_c)\n  *p = 1'],
    ['a quote', [{ type: 'rich_text_quote', elements: [word('one\ntwo')] }], '> one\n> two'],
    [
      'lists',
      [
        { type: 'rich_text_list', style: 'bullet', elements: [section(word('one')), section(word('two'))] },
        { type: 'rich_text_list', style: 'ordered', indent: 1, offset: 2, elements: [section(word('three'))] },
      ],
      '• one\n• two\n  3. three',
    ],
    ['new kinds of leaf with text', [section({ type: 'of_next_year', text: 'kept' })], 'kept'],
    ['nothing', [{ type: 'of_next_year', elements: [word('x')] }, null, 'text'], ''],
  ])('shows %s', (_, elements, expected) => {
    expect(rich(...elements)).toBe(expected)
  })

  it('shows a table line by line', () => {
    const cell = (text: string) => ({ type: 'raw_text', text })
    const pro = { type: 'rich_text', elements: [section(word('Pro'))] }
    const rows = [[cell('Plan'), cell('Seats')], [pro, cell('5')], 'x']
    expect(bot([{ type: 'table', rows }])).toBe('Plan | Seats\nPro | 5')
  })
})

it('lists exactly the people and channels whose names are shown', () => {
  const message = parse({
    text: 'New',
    bot_id: 'B2',
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: '<@U1> and <#C1|x>, not &lt;@U4&gt; or <!here>' } },
      {
        type: 'rich_text',
        elements: [section({ type: 'user', user_id: 'W2' }, { type: 'channel', channel_id: 'G2' })],
      },
    ],
    attachments: [{ text: '<@U3>' }, { from_url: 'https://a.example', text: '<@U5>' }],
  })
  expect(mentionedIn(message)).toEqual({ people: ['U1', 'W2', 'U3'], channels: ['C1', 'G2'] })
})

it('tolerates anything as blocks and attachments, and yields well-formed text without NUL', () => {
  const words = fc.constantFrom(
    'type',
    'rich_text',
    'rich_text_list',
    'elements',
    'text',
    'section',
    '<@U1>',
    'a\0\ud800',
  )
  const anything = fc.anything({ key: words, values: [words, fc.integer(), fc.constant(null)], maxDepth: 6 })
  fc.assert(
    fc.property(anything, anything, (blocks, attachments) => {
      const text = shown({ blocks, attachments })
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toContain('\0')
    }),
  )
})

it('converts 100 kB of blocks', () => {
  const text = { type: 'mrkdwn', text: 'word '.repeat(400) }
  const blocks = Array.from({ length: 50 }, () => ({ type: 'section', text }))
  expect(bot(blocks).length).toBeGreaterThan(99_000)
})
