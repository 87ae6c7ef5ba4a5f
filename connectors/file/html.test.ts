import { describe, expect, it } from 'vitest'
import { preview } from './preview.ts'
import { options, readAll } from './testing.ts'

const json = (rows: readonly object[]) => JSON.stringify(rows)

describe('HTML in a file', () => {
  it('is shown as its reader saw it, and other rows of the column as they are written', async () => {
    const csv = [
      'id,date,body',
      '1,2026-10-01,"<div dir=""ltr""><p>Hi,</p><p>the label printer won&#39;t <b>start</b>&nbsp;today<br></p></div>"',
      '2,2026-10-02,how do I type <b> in the editor?',
      '3,2026-10-03,the type List<String> is not accepted &amp; if (a<b && c>d) fails',
      '4,2026-10-04,"Hello,<br />the printer prints <br />twice"',
      '5,2026-10-05,<p>&nbsp;</p>',
    ].join('\n')
    const { texts, problems } = await readAll(csv)
    expect(texts).toEqual([
      "Hi,\nthe label printer won't start today",
      'how do I type <b> in the editor?',
      'the type List<String> is not accepted &amp; if (a<b && c>d) fails',
      'Hello,\nthe printer prints\ntwice',
    ])
    expect(problems).toEqual([{ line: 6, reason: 'The text is empty' }])
    const { found } = await preview(Buffer.from(csv), options('a.csv'))
    expect(found.items.map(({ text }) => text)).toEqual(texts)
  })

  it.each(['body_html', 'html_body', 'Description (HTML)', 'descriptionHtml'])(
    'is read as HTML whatever it looks like, in a column named %s',
    async (name) => {
      const rows = ['Tom &amp; Jerry <b>fails</b>', 'It <i>fails</i> again', 'Can&#39;t log in']
      const csv =
        ['id,created_at', `"${name}"`].join(',') + rows.map((row, at) => `\n${at + 7},2026-10-01,${row}`).join('')
      expect((await readAll(csv)).texts).toEqual(['Tom & Jerry fails', 'It fails again', "Can't log in"])
    },
  )

  it.each([
    ['content_type', 'text/html', 'text/plain'],
    ['body_type', 'html', 'plain'],
    ['mimeType', 'text/html; charset=utf-8', 'text/plain; charset=utf-8'],
  ])('is what the column %s says', async (name, html, plain) => {
    const text = '<p>Tom &amp; Jerry</p>'
    const file = json([
      { id: 'a', body: 'Tom &amp; Jerry', [name]: html },
      { id: 'b', body: text, [name]: plain },
      { id: 'c', body: text, [name]: '' },
    ])
    expect((await readAll(file, 'a.json')).texts).toEqual(['Tom & Jerry', text, 'Tom & Jerry'])
  })

  it('is what an object says of itself, as Microsoft’s API does', async () => {
    const file = json([
      { id: 'a', body: { contentType: 'html', content: 'Tom &amp; Jerry fails' } },
      { id: 'b', body: { contentType: 'html', content: 'It <i>fails</i> again' } },
    ])
    expect((await readAll(file, 'a.json')).texts).toEqual(['Tom & Jerry fails', 'It fails again'])
  })

  it('is what the product writes: cooked posts of Discourse, messages of Intercom’s API', async () => {
    const post = { id: 71, username: 'ada', post_number: 1, topic_id: 12, created_at: '2026-10-01T08:00:00Z' }
    expect((await readAll(json([{ ...post, cooked: 'Uploads &amp; <em>more</em>' }]), 'a.json')).texts).toEqual([
      'Uploads & more',
    ])
    const conversation = { id: '9', created_at: 1790925249, conversation_parts: { type: 'list' } }
    const source = { subject: '<p>Scan</p>', body: '<p>It can&rsquo;t focus</p>' }
    expect((await readAll(json([{ ...conversation, source }]), 'a.json')).texts).toEqual(['Scan\n\nIt can’t focus'])
  })

  it('in a title is read like that in a text, which is not repeated', async () => {
    const csv = 'id,title,description\n1,<p>It&nbsp;fails</p>,<p>It fails</p><p>at night</p>\n2,How?,<p>So</p>'
    expect((await readAll(csv)).texts).toEqual(['It fails\nat night', 'How?\n\nSo'])
  })

  it('does not change by what a row is recognised in a source', async () => {
    const [html, plain] = ['message\n<p>It fails</p>\n<p>It is slow</p>', 'message\nIt fails\nIt is slow']
    const [one, other] = [await readAll(html), await readAll(plain)]
    expect(one.texts).toEqual(other.texts)
    // Rows that were stored before are found by their cells, as these were written.
    expect(one.items[0]?.externalId).not.toBe(other.items[0]?.externalId)
  })

  it('stays in our own exports, whose texts were shown already', async () => {
    const row = { id: '1', source: 'file', source_name: 'A', external_id: '1', text: '<p>It fails</p>' }
    const rest = { author: null, date: null, link: null, thread: null, place: null }
    expect((await readAll(JSON.stringify({ ...row, ...rest }), 'a.jsonl')).texts).toEqual(['<p>It fails</p>'])
  })

  it('that is damaged costs its row at most', async () => {
    const deep = '<div>'.repeat(150_000)
    const csv = `id,message\n1,<p>It fails <b>at once\n2,"${deep}x"\n3,<p>a\0b</p>\n4,<p>It is slow</p>`
    const { texts, problems } = await readAll(csv)
    expect(texts.map((text) => text.slice(0, 20))).toEqual([
      '<p>It fails <b>at on',
      '<div><div><div><div>',
      'It is slow',
    ])
    expect(problems).toEqual([{ line: 4, reason: 'The line contains a NUL byte' }])
  })
})
