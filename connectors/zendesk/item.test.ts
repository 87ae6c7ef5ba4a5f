import { describe, expect, it } from 'vitest'
import { commentText } from './conversation/comment-text.ts'
import type { WaitingTicket } from './cursor.ts'
import { hasFilesOnly, toItem } from './item.ts'
import type { Comment } from './schema.ts'

const ticket: WaitingTicket = {
  id: 35_436,
  updated: 1_772_366_400_000,
  requester: 7,
  count: 1,
  attributes: { subject: 'Printer' },
}
const people = new Map([
  [7, { name: 'Ann', role: 'end-user' }],
  [8, { name: 'Ash', role: 'agent' }],
  [9, { name: 'Ada', role: 'admin' }],
  [10, { name: null, role: null }],
])
const comment = (more: Partial<Comment> = {}): Comment => ({
  id: 1274,
  author_id: 7,
  public: true,
  html_body: '<div class="zd-comment"><p>It burns &amp; smokes</p></div>',
  created_at: '2026-03-01T10:00:00Z',
  ...more,
})
const item = (more: Partial<Comment> = {}) => toItem(comment(more), ticket, 'acme', people)

describe('a comment', () => {
  it('is an item of its ticket', () => {
    expect(item()).toEqual({
      externalId: '35436:1274',
      text: 'It burns & smokes',
      author: 'Ann',
      at: new Date('2026-03-01T10:00:00Z'),
      link: 'https://acme.zendesk.com/agent/tickets/35436',
      thread: '35436',
      place: null,
      role: 'customer',
      attributes: { subject: 'Printer' },
    })
  })

  it.each([
    [7, 'customer'],
    [8, 'agent'],
    [9, 'agent'],
    [10, 'agent'],
    [11, 'agent'],
    [-1, 'agent'],
    [null, 'agent'],
  ])('of the author %j is from a %s', (author_id, role) => {
    expect(item({ author_id })?.role).toBe(role)
  })

  it('of a requester whom Zendesk no longer knows is a customer’s', () => {
    expect(toItem(comment({ author_id: 10 }), { ...ticket, requester: 10 }, 'acme', people)).toMatchObject({
      author: null,
      role: 'customer',
    })
  })

  it('names its attachments, except for images in the text', () => {
    const attachments = [{ file_name: 'crash.log' }, { file_name: 'logo.png', inline: true }, { file_name: null }]
    expect(item({ attachments })?.attachments).toEqual(['crash.log'])
    expect(item({ attachments: [] })?.attachments).toBeUndefined()
  })

  it('has a version once a part of it was redacted', () => {
    expect(item()?.version).toBeUndefined()
    expect(item({ html_body: '<p>My card is ▇▇▇▇</p>' })?.version).toBe(ticket.updated * 1000)
    expect(item({ attachments: [{ file_name: 'redacted.txt' }] })?.version).toBe(ticket.updated * 1000)
  })

  it.each(['', '   ', '<p>&nbsp;</p>', '<div><img src="x"></div>'])('without text is none: %j', (html_body) => {
    expect(item({ html_body })).toBeNull()
  })
})

describe('the text of a comment', () => {
  const mail = (html_body: string) => commentText(comment({ html_body }))

  it('has a quotation in the middle of what its author wrote', () => {
    const html = '<p>It says</p><blockquote><p>Error 500</p></blockquote><p>every day</p>'
    expect(mail(html)).toBe('It says\n\nError 500\n\nevery day')
  })

  it('is what its author wrote, without the quoted mail and the signature', () => {
    const quoted = '<div class="gmail_quote">On Mon, Ann wrote:<blockquote>the old words</blockquote></div>'
    const signature = '<div class="gmail_signature">Ann Example, Acme Inc</div>'
    expect(mail(`<div dir="ltr"><p>New words</p>${signature}${quoted}</div>`)).toBe('New words')
  })

  it('has its paragraphs, lists and links', () => {
    expect(mail('<p>One</p><ul><li>two</li><li>three</li></ul><p><a href="https://a.example/x">four</a></p>')).toBe(
      'One\n- two\n- three\nfour (https://a.example/x)',
    )
  })

  it('contains no markup, script or NUL', () => {
    const text = mail('<p>a\0b &lt;b&gt; <script>alert(1)</script><style>p{}</style></p>')
    expect(text).toContain('<b>')
    expect(text).not.toMatch(/alert|p\{\}|\0/)
  })

  it('of a forwarded mail is all of it', () => {
    expect(mail('<blockquote type="cite"><p>The customer’s words</p></blockquote>')).toContain('The customer’s words')
  })

  it('is plain where there is no HTML, as it was typed', () => {
    const plain = 'New words <b>\n\nOn 2 Mar 2026, Anna wrote:\n> the old words'
    expect(commentText(comment({ html_body: null, plain_body: plain }))).toBe('New words <b>')
    expect(commentText(comment({ html_body: '', plain_body: null, body: 'only this\0' }))).toBe('only this')
    expect(commentText(comment({ html_body: null, body: null }))).toBe('')
  })

  it('may have 100 kB', () => {
    const text = mail(`<p>${'word '.repeat(20_000)}</p>`)
    expect(text.length).toBe(99_999)
  })
})

it('a comment that consists of attachments only is counted: an inline image or no file is none', () => {
  const empty = { html_body: null, plain_body: null, body: '' }
  expect(hasFilesOnly(comment({ ...empty, attachments: [{ file_name: 'screen.png', inline: false }] }))).toBe(true)
  expect(hasFilesOnly(comment({ ...empty, attachments: [{ file_name: 'logo.png', inline: true }] }))).toBe(false)
  expect(hasFilesOnly(comment({ ...empty, attachments: [] }))).toBe(false)
  expect(hasFilesOnly(comment({ attachments: [{ file_name: 'screen.png', inline: false }] }))).toBe(false)
})
