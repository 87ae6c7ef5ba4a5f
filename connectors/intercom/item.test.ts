import { describe, expect, it } from 'vitest'
import { handleEvent } from './handle-event.ts'
import { messagesOf } from './item.ts'
import type { IntercomSettings } from './manifest.ts'
import { Conversation } from './schema.ts'
import { selectionOf } from './selection.ts'
import { drain, openIntercom, signedIn } from './testing.ts'

const SETTINGS: IntercomSettings = { region: 'us', workspace_id: 'acme1' }
const ANN = { type: 'user', id: '1', name: 'Ann' }
const ASH = { type: 'admin', id: '2', name: 'Ash' }
const AT = 1_772_359_200

const part = (more: Record<string, unknown> = {}) => ({
  id: '77',
  part_type: 'comment',
  body: '<p>It burns &amp; smokes</p>',
  created_at: AT + 60,
  updated_at: AT + 60,
  author: ANN,
  ...more,
})

/** What is read of a conversation as Intercom returns it. */
function read(parts: object[], more: Record<string, unknown> = {}, settings: Partial<IntercomSettings> = {}) {
  const conversation = Conversation.parse({
    id: '503',
    created_at: AT,
    updated_at: AT + 90,
    state: 'open',
    source: { type: 'email', subject: '<p>Printer</p>', body: '<p>Hello</p>', author: ANN, redacted: false },
    conversation_parts: { conversation_parts: parts, total_count: parts.length },
    ...more,
  })
  const all = { ...SETTINGS, ...settings }
  return messagesOf(conversation, all, selectionOf(all, new Date(AT * 1000)))
}
const only = (more: Record<string, unknown>) => read([part(more)], { source: null }).items[0]

describe('a conversation', () => {
  it('is an item for the message that it starts with, and one for each part', () => {
    const { items, ids, deleted, missing } = read([part()])
    const link = 'https://app.intercom.com/a/inbox/acme1/inbox/conversation/503'
    const shared = {
      thread: '503',
      place: null,
      role: 'customer',
      author: 'Ann',
      attributes: { subject: 'Printer', status: 'open', channel: 'email' },
    }
    expect(items).toEqual([
      { ...shared, link, externalId: '503:source', text: 'Hello', at: new Date(AT * 1000) },
      {
        ...shared,
        link: `${link}#part_id=comment-503-77`,
        externalId: '503:77',
        text: 'It burns & smokes',
        at: new Date((AT + 60) * 1000),
      },
    ])
    expect({ ids, deleted, missing }).toEqual({ ids: ['503:source', '503:77'], deleted: [], missing: 0 })
  })

  it.each([
    ['eu', 'https://app.eu.intercom.com/a/inbox/acme1/inbox/conversation/503'],
    ['au', 'https://app.au.intercom.com/a/inbox/acme1/inbox/conversation/503'],
  ] as const)('in the region %s has a link to its inbox', (region, link) => {
    expect(read([], {}, { region }).items[0]?.link).toBe(link)
  })

  it('has ids that never collide: a part may have the number of the source', () => {
    const { ids } = read([part({ id: 9 }), part({ id: '10' })], { source: { id: '9', body: '<p>x</p>', author: ANN } })
    expect(ids).toEqual(['503:source', '503:9', '503:10'])
  })

  it('without a source, without parts and without a state is read as far as there is something', () => {
    expect(read([], { source: null }).items).toEqual([])
    expect(read([], { conversation_parts: null, state: null }).items).toHaveLength(1)
    expect(read([], { conversation_parts: { conversation_parts: null } }).items).toHaveLength(1)
  })
})

describe('the role of an author', () => {
  it.each([
    ['user', 'customer'],
    ['lead', 'customer'],
    ['contact', 'customer'],
    ['visitor', 'customer'],
    ['admin', 'agent'],
    ['bot', 'agent'],
    ['team', 'agent'],
    ['operator', 'agent'],
    ['campaign', 'agent'],
    ['', 'agent'],
    [null, 'agent'],
  ])('of type %j is %s', (type, role) => {
    expect(only({ author: { type, name: 'Someone' } })).toMatchObject({ role, author: 'Someone' })
  })

  it('who is unknown is an agent without a name', () => {
    expect(only({ author: null })).toMatchObject({ role: 'agent', author: null })
    expect(only({ author: 'odd' })).toMatchObject({ role: 'agent', author: null })
  })
})

describe('a part', () => {
  it.each(['note', 'note_and_reopen', 'Note', 'assigned_with_note'])('of type %s is never read', (part_type) => {
    for (const author of [ASH, ANN, null]) {
      const result = read([part({ part_type, author, body: '<p>internal words</p>' })])
      expect(JSON.stringify(result)).not.toContain('internal words')
      expect(result.ids).toEqual(['503:source'])
    }
  })

  it.each(['comment', 'open', 'close', 'quick_reply'])(
    'of type %s is read from customers and teammates alike',
    (part_type) => {
      expect(read([part({ part_type }), part({ part_type, author: ASH })]).items).toHaveLength(3)
    },
  )

  it.each(['assignment', 'away_mode_assignment', 'custom_action_started', 'participant_added', null])(
    'of type %j is read only where a customer wrote it',
    (part_type) => {
      expect(read([part({ part_type, author: ASH, body: '<p>internal words</p>' })]).items).toHaveLength(1)
      expect(read([part({ part_type })]).items).toHaveLength(2)
    },
  )

  it.each(['', '   ', '<p>&nbsp;</p>', '<div class="intercom-container"><img src="x"></div>', null])(
    'without text is none: %j',
    (body) => {
      const { items, ids, whole } = read([part({ body })], { source: null })
      expect({ items, ids, whole }).toEqual({ items: [], ids: [], whole: true })
    },
  )

  it('names its attachments', () => {
    const attachments = [{ name: 'crash\0.log' }, { name: null }, { name: 'a.png' }]
    expect(only({ attachments })?.attachments).toEqual(['crash.log', 'a.png'])
    expect(only({ attachments: [] })?.attachments).toBeUndefined()
    expect(only({ attachments: 'none' })?.attachments).toBeUndefined()
  })

  it('that was redacted in part is an edit with the time of the change', () => {
    expect(only({})?.version).toBeUndefined()
    expect(only({ redacted: true, body: '<p>My card is ****</p>' })).toMatchObject({
      text: 'My card is ****',
      version: (AT + 90) * 1_000_000,
    })
  })

  it('that was redacted again is a newer edit, also where the conversation counts as unchanged', () => {
    const again = only({ redacted: true, body: '<p>My card</p>', updated_at: AT + 200 })
    expect(again?.version).toBe((AT + 200) * 1_000_000)
  })

  it('without a time has that of the conversation; one without an id counts as missing', () => {
    expect(only({ created_at: null })?.at).toEqual(new Date(AT * 1000))
    const { items, ids, missing, whole } = read([part(), part({ id: null })])
    expect(items.map(({ externalId }) => externalId)).toEqual(['503:source', '503:77'])
    expect({ ids, missing, whole }).toEqual({ ids: ['503:source', '503:77'], missing: 1, whole: false })
  })

  it.each(['<p><i>This message was deleted</i></p>', 'This message has been redacted.', '', null])(
    'that a redaction empties is deleted: %j',
    (body) => {
      const { items, ids, deleted } = read([part({ redacted: true, body })], { source: null })
      expect({ items, ids, deleted }).toEqual({ items: [], ids: [], deleted: ['503:77'] })
    },
  )

  it('that a customer wrote with the words of the placeholder stays', () => {
    expect(only({ body: '<p>This message was deleted</p>' })?.text).toBe('This message was deleted')
  })
})

describe('the text of a part', () => {
  const text = (body: string) => only({ body })?.text

  it('has its paragraphs, lists and links', () => {
    expect(text('<p>One</p><ul><li>two</li><li>three</li></ul><p><a href="https://a.example/x">four</a></p>')).toBe(
      'One\n- two\n- three\nfour (https://a.example/x)',
    )
  })

  it('has a quotation in the middle of what its author wrote', () => {
    const html = '<p>It says</p><blockquote><p>Error 500</p></blockquote><p>every day</p>'
    expect(text(html)).toBe('It says\n\nError 500\n\nevery day')
  })

  it('is what its author wrote, without the quoted mail and the signature', () => {
    const quoted = '<div class="gmail_quote">On Mon, Ann wrote:<blockquote>the old words</blockquote></div>'
    const signature = '<div class="gmail_signature">Ann Example, Acme Inc</div>'
    expect(text(`<div dir="ltr"><p>New words</p>${signature}${quoted}</div>`)).toBe('New words')
    expect(text('<blockquote><p>A forwarded mail</p></blockquote>')).toContain('A forwarded mail')
  })

  it('contains no markup, script or NUL, and may have 100 kB', () => {
    const plain = text('<p>a\0b &lt;b&gt; <script>alert(1)</script><style>p{}</style></p>')
    expect(plain).toContain('<b>')
    expect(plain).not.toMatch(/alert|p\{\}|\0/)
    expect(text(`<p>${'word '.repeat(20_000)}</p>`)?.length).toBe(99_999)
  })
})

describe('a ticket', () => {
  const form = { _default_title_: 'Found a bug', _default_description_: 'The button’s\nnot working', Plan: 'pro' }
  const filed = { type: 'ticket', category: 'Customer', created_at: AT + 30, ticket_attributes: form }
  const empty = { type: 'conversation', subject: '', body: null, author: ANN }
  const ticket = (more: Record<string, unknown> = {}, source: unknown = empty) =>
    read([], { source, ticket: { ...filed, ...more } })

  it('that a customer filed is a message of theirs, from the form', () => {
    const { items, ids } = ticket()
    expect(ids).toEqual(['503:ticket'])
    expect(items).toEqual([
      expect.objectContaining({
        externalId: '503:ticket',
        text: 'The button’s\nnot working',
        author: 'Ann',
        role: 'customer',
        at: new Date((AT + 30) * 1000),
        link: 'https://app.intercom.com/a/inbox/acme1/inbox/conversation/503',
        thread: '503',
        attributes: { title: 'Found a bug', status: 'open', channel: 'conversation' },
      }),
    ])
  })

  it.each([
    [
      'has markup',
      { ticket_attributes: { _default_description_: '<p>It &lt; burns</p><p>again</p>' } },
      'It < burns\nagain',
    ],
    ['has none', { ticket_attributes: { _default_description_: ' 1 < 2 & 3 > 2 ' } }, '1 < 2 & 3 > 2'],
    ['is of an unknown category', { category: null }, 'The button’s\nnot working'],
  ])('is read where its description %s', (_, more, text) => {
    expect(ticket(more).items.map((item) => item.text)).toEqual([text])
  })

  it.each([
    ['of the back office', { category: 'Back-office' }],
    ['that tracks others', { category: 'Tracker' }],
    ['without a description', { ticket_attributes: { _default_title_: 'x' } }],
    ['with an empty description', { ticket_attributes: { _default_description_: null } }],
    ['with an odd description', { ticket_attributes: { _default_description_: ['x'] } }],
    ['without attributes', { ticket_attributes: null }],
    ['with odd attributes', { ticket_attributes: 'x' }],
  ])('%s has no message of its own', (_, more) => {
    expect(ticket(more)).toMatchObject({ items: [], ids: [] })
  })

  it('that repeats the first message is read once', () => {
    const { ids } = ticket({}, { ...empty, body: '<p>The button’s not<br>working</p>' })
    expect(ids).toEqual(['503:source'])
  })

  it.each([
    ['a teammate filed', { ...empty, author: ASH }, 'Ash'],
    ['a conversation became', { ...empty, body: '<p>Hello</p>' }, null],
    ['a conversation became whose first message was redacted', { ...empty, redacted: true }, null],
  ])('that %s is context: nothing says that the customer wrote it', (_, source, author) => {
    const item = ticket({}, source).items.find(({ externalId }) => externalId === '503:ticket')
    expect(item).toMatchObject({ role: 'agent', author })
  })

  it('without any author is the customer’s', () => {
    expect(ticket({}, null).items[0]).toMatchObject({ role: 'customer', author: null })
  })

  it('is read with its conversation by a sync, and again the same way', async () => {
    await using intercom = await openIntercom()
    const id = intercom.open({
      messages: [
        { author: 'Ann', text: '', html: '' },
        { author: 'Agent Ash', as: 'admin', text: 'Thanks' },
      ],
      ticket: { category: 'Customer', attributes: form },
    })
    const context = await signedIn(intercom)
    const { items, complete } = await drain(context)
    expect(items.map(({ externalId, role }) => [externalId, role])).toEqual([
      [`${id}:ticket`, 'customer'],
      [expect.stringMatching(`^${id}:\\d+$`), 'agent'],
    ])
    expect(complete.flatMap(({ ids }) => ids)).toEqual(items.map(({ externalId }) => externalId))
    const event = await handleEvent(context, { topic: 'conversation.user.created', conversation: id })
    expect(event.items).toEqual(items)
  })
})

describe('what is missing', () => {
  it('may be more than Intercom says where it returns as many parts as it can: what is stored then stays', () => {
    const parts = (count: number) => Array.from({ length: count }, (_, index) => part({ id: index + 1 }))
    expect(read(parts(499), { statistics: null })).toMatchObject({ missing: 0, whole: true })
    expect(read(parts(500), { statistics: null })).toMatchObject({ missing: 0, whole: false })
    expect(read(parts(3), { statistics: { count_conversation_parts: 4 } })).toMatchObject({ missing: 1, whole: false })
  })

  it('is the number of parts that Intercom counts but does not return', () => {
    const statistics = { count_conversation_parts: 503 }
    expect(read([part()], { statistics }).missing).toBe(502)
    expect(read([part()], { statistics: { count_conversation_parts: null } }).missing).toBe(0)
    expect(read([], { conversation_parts: { conversation_parts: [], total_count: 4 } }).missing).toBe(4)
  })

  it('is not what was not chosen: messages of other authors are there, but not read', () => {
    const { items, ids, missing } = read([part({ author: ASH, id: '78' }), part()], {}, { authors: ['users'] })
    expect(items.map(({ externalId }) => externalId)).toEqual(['503:source', '503:77'])
    expect(ids).toEqual(['503:source', '503:78', '503:77'])
    expect(missing).toBe(0)
  })
})

it('a message that consists of attachments only is counted', () => {
  const attachments = [{ name: 'screen.png' }]
  expect(read([part({ body: '', attachments })], { source: null }).attachmentOnly).toEqual(['503:77'])
  expect(read([part({ body: '' }), part({ attachments })], { source: null }).attachmentOnly).toEqual([])
})
