import { describe, expect, it } from 'vitest'
import { fileNames, messageText } from './message-text.ts'
import { Message } from './schema.ts'

/** A message as Graph sends it, with these parts. */
const message = (parts: Record<string, unknown>) =>
  Message.parse({ id: '1', createdDateTime: '2026-03-01T12:00:00Z', ...parts })
const html = (content: string) => ({ body: { contentType: 'html', content } })
const attached = (contentType: string, content: unknown, name: string | null = null) => ({
  id: 'a',
  contentType,
  content: typeof content === 'string' || content === null ? content : JSON.stringify(content),
  name,
})
const ADAPTIVE = 'application/vnd.microsoft.card.adaptive'

describe('the text of a message', () => {
  it.each([
    ['paragraphs', '<p>One</p><p>Two &amp; three</p>', 'One\nTwo & three'],
    ['mentions and emoji', '<p><at id="0">Ann</at> <emoji alt="🙂"></emoji></p>', '@Ann 🙂'],
    ['marks of attachments and images', '<p>See</p><attachment id="x"></attachment><img src="https://x/y">', 'See'],
    ['links', '<a href="https://example.com/a">here</a>', 'here (https://example.com/a)'],
    ['scripts', '<p>Hi</p><script>alert(1)</script>', 'Hi'],
    ['code', '<codeblock><code>a  b</code></codeblock>', 'a  b'],
    ['a NUL and half of a pair', '<p>a\u0000b\ud800</p>', 'ab\ufffd'],
  ])('has no markup: %s', (_, content, text) => {
    expect(messageText(message(html(content)))).toBe(text)
  })

  it('has the subject in front', () => {
    expect(messageText(message({ subject: ' Export ', ...html('<p>It stops</p>') }))).toBe('Export\n\nIt stops')
  })

  it('is as typed where it is no HTML', () => {
    expect(messageText(message({ body: { contentType: 'text', content: ' 1 < 2 & <b> ' } }))).toBe('1 < 2 & <b>')
  })

  it('has what the author wrote, not what is quoted, unless there is nothing else', () => {
    const reply = '<blockquote itemscope itemtype="http://schema.skype.com/Reply" itemid="7">Old words</blockquote>'
    expect(messageText(message(html(`${reply}<p>New words</p>`)))).toBe('New words')
    expect(messageText(message(html('<p>New words</p><blockquote>Old words</blockquote>')))).toBe('New words')
    expect(messageText(message(html('<blockquote>Old words</blockquote>')))).toBe('Old words')
  })

  it('has a quotation in the middle of what the author wrote', () => {
    const body = html('<p>It says</p><blockquote>Error 500</blockquote><p>every day</p>')
    expect(messageText(message(body))).toBe('It says\n\nError 500\n\nevery day')
  })

  it('has the text of adaptive cards', () => {
    const card = { type: 'AdaptiveCard', body: [{ type: 'TextBlock', text: 'Rating: 2' }] }
    const parts = { ...html('<attachment id="a"></attachment>'), attachments: [attached(ADAPTIVE, card)] }
    expect(messageText(message(parts))).toBe('Rating: 2')
  })

  it('has the text of the cards of connectors', () => {
    const card = { title: 'Survey', text: '<b>Slow</b>', sections: [{ activityTitle: 'Ann', text: 'Too slow' }] }
    const attachments = [attached('application/vnd.microsoft.teams.card.o365connector', card)]
    expect(messageText(message({ attachments }))).toBe('Survey\nSlow\nAnn\nToo slow')
  })

  it('has a message that was forwarded, and not one that was quoted', () => {
    const attachments = [
      attached('messageReference', { messagePreview: 'Quoted' }),
      attached('forwardedMessageReference', { originalMessageContent: '<p>Forwarded</p>' }),
    ]
    expect(messageText(message({ ...html('<p>See</p>'), attachments }))).toBe('See\n\nForwarded')
  })

  it.each([
    ['no JSON', '{'],
    ['null', null],
    ['a list', '[]'],
    ['other types', '{"title":7,"sections":"x"}'],
  ])('has nothing of a card that is %s', (_, content) => {
    for (const type of [ADAPTIVE, 'application/vnd.microsoft.card.hero', 'forwardedMessageReference']) {
      expect(messageText(message({ ...html('<p>Hi</p>'), attachments: [attached(type, content)] }))).toBe('Hi')
    }
  })

  it('is empty for a message without any, and survives malformed parts', () => {
    expect(messageText(message({}))).toBe('')
    expect(messageText(message({ body: 'x', attachments: [7, null, 'y'], subject: null }))).toBe('')
  })

  it('of 100 kB is kept whole', () => {
    const long = 'words '.repeat(17_000).trim()
    expect(messageText(message(html(`<p>${long}</p>`)))).toBe(long)
  })
})

it('names attached files only', () => {
  const attachments = [
    attached('reference', null, 'export.csv'),
    attached('reference', null, 'a\u0000b.png'),
    attached(ADAPTIVE, '{}', 'card'),
    attached('messageReference', '{}', 'quoted'),
    attached('reference', null),
  ]
  expect(fileNames(message({ attachments }))).toEqual(['export.csv', 'ab.png'])
  expect(fileNames(message({}))).toEqual([])
})
