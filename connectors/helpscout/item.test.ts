import { describe, expect, it } from 'vitest'
import type { Waiting } from './cursor.ts'
import { hasFilesOnly, isMessage, toItem } from './item.ts'
import { Thread } from './schema.ts'

const conversation: Waiting = {
  id: 1234,
  link: 'https://secure.helpscout.net/conversation/1234/15473',
  count: 1,
  attributes: { subject: 'Printer' },
}
const customer = { id: 7, type: 'customer', first: 'Vernon', last: 'Bear', email: 'vbear@example.com' }
const user = { id: 8, type: 'user', first: 'Ash', last: null, email: 'ash@example.com' }

/** A thread as it is parsed from a response. */
const thread = (more: Record<string, unknown> = {}): Thread =>
  Thread.parse({
    id: 88,
    type: 'customer',
    status: 'active',
    state: 'published',
    body: '<p>It burns &amp; smokes</p>',
    source: { type: 'email', via: 'customer' },
    customer,
    createdBy: customer,
    createdAt: '2026-03-01T10:00:00Z',
    ...more,
  })
const item = (more: Record<string, unknown> = {}) => toItem(thread(more), conversation)

describe('a thread', () => {
  it('is an item of its conversation', () => {
    expect(item()).toEqual({
      externalId: '1234:88',
      text: 'It burns & smokes',
      author: 'Vernon Bear',
      at: new Date('2026-03-01T10:00:00Z'),
      link: 'https://secure.helpscout.net/conversation/1234/15473',
      thread: '1234',
      place: null,
      role: 'customer',
      attributes: { subject: 'Printer' },
    })
  })

  it.each([
    ['customer', customer, 'customer'],
    ['customer', user, 'customer'],
    ['message', user, 'agent'],
    ['reply', user, 'agent'],
    ['chat', user, 'agent'],
    ['beaconchat', user, 'agent'],
    ['phone', user, 'agent'],
    ['forwardchild', user, 'agent'],
    ['message', { ...user, type: 'team' }, 'agent'],
    ['message', { ...user, type: 'system_user' }, 'agent'],
    ['message', undefined, 'agent'],
    ['message', { id: 8 }, 'agent'],
    ['chat', customer, 'customer'],
    ['beaconchat', customer, 'customer'],
    ['message', customer, 'customer'],
    ['phone', customer, 'customer'],
  ])('of type %s by %j is from a %s', (type, createdBy, role) => {
    expect(isMessage(thread({ type, createdBy }))).toBe(true)
    expect(item({ type, createdBy })?.role).toBe(role)
  })

  it.each(['note', 'lineitem', 'forwardparent', 'something new'])('of type %s is never read', (type) => {
    for (const createdBy of [customer, user]) expect(isMessage(thread({ type, createdBy }))).toBe(false)
  })

  it.each([
    ['published', true],
    [undefined, true],
    [null, true],
    ['draft', false],
    ['hidden', false],
    ['review', false],
  ])('in the state %s is part of the conversation: %s', (state, shown) => {
    expect(isMessage(thread({ state }))).toBe(shown)
    expect(isMessage(thread({ state, type: 'message', createdBy: user }))).toBe(shown)
  })

  it('has the name of its author, or the address where there is no name', () => {
    expect(item({ createdBy: { ...customer, last: null } })?.author).toBe('Vernon')
    expect(item({ createdBy: { ...customer, first: ' ', last: '' } })?.author).toBe('vbear@example.com')
    expect(item({ createdBy: { id: 7, type: 'customer' } })?.author).toBeNull()
    expect(item({ type: 'message', createdBy: user })?.author).toBe('Ash')
    expect(item({ type: 'message', createdBy: undefined })?.author).toBeNull()
  })

  it('of a customer that a user wrote down has the customer’s name', () => {
    expect(item({ createdBy: user })?.author).toBe('Vernon Bear')
    expect(item({ createdBy: undefined })?.author).toBe('Vernon Bear')
    expect(item({ createdBy: user, customer: undefined })?.author).toBe('Ash')
  })

  it('names its attachments', () => {
    const attachments = [{ filename: 'crash.log' }, { filename: 'a\0b.png', state: 'valid' }, { filename: null }, {}]
    expect(item({ _embedded: { attachments } })?.attachments).toEqual(['crash.log', 'ab.png'])
    expect(item({ _embedded: { attachments: [] } })?.attachments).toBeUndefined()
    expect(item({ _embedded: {} })?.attachments).toBeUndefined()
  })

  it.each(['', '   ', '<p>&nbsp;</p>', '<div><img src="x"></div>', null, undefined])(
    'without text is none: %j',
    (body) => {
      expect(item({ body })).toBeNull()
    },
  )
})

describe('the text of a thread', () => {
  const text = (body: string) => item({ body })?.text

  it('has a quotation in the middle of what its author wrote', () => {
    const html = '<p>It says</p><blockquote><p>Error 500</p></blockquote><p>every day</p>'
    expect(text(html)).toBe('It says\n\nError 500\n\nevery day')
  })

  it('is what its author wrote, without the quoted mail and the signature', () => {
    const quoted = '<div class="gmail_quote">On Mon, Ann wrote:<blockquote>the old words</blockquote></div>'
    const signature = '<div class="gmail_signature">Ann Example, Acme Inc</div>'
    expect(text(`<div dir="ltr"><p>New words</p>${signature}${quoted}</div>`)).toBe('New words')
  })

  it('has its paragraphs, lists and links', () => {
    expect(text('<p>One</p><ul><li>two</li><li>three</li></ul><p><a href="https://a.example/x">four</a></p>')).toBe(
      'One\n- two\n- three\nfour (https://a.example/x)',
    )
  })

  it('with line breaks only keeps them', () => {
    expect(text('One<br />two<br>\nthree')).toBe('One\ntwo\nthree')
  })

  it('contains no markup, script or NUL', () => {
    const read = text('<p>a\0b &lt;b&gt; <script>alert(1)</script><style>p{}</style></p>')
    expect(read).toContain('<b>')
    expect(read).not.toMatch(/alert|p\{\}|\0/)
  })

  it('of a forwarded mail is all of it', () => {
    expect(text('<blockquote type="cite"><p>The customer’s words</p></blockquote>')).toContain('The customer’s words')
  })

  it('may have 100 kB', () => {
    expect(text(`<p>${'word '.repeat(20_000)}</p>`)?.length).toBe(99_999)
  })
})

it('a message that consists of attachments only is counted', () => {
  const attachments = { _embedded: { attachments: [{ filename: 'screen.png' }] } }
  expect(hasFilesOnly(thread({ body: '', ...attachments }))).toBe(true)
  expect(hasFilesOnly(thread({ body: null }))).toBe(false)
  expect(hasFilesOnly(thread(attachments))).toBe(false)
})
