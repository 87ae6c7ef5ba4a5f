import { hash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { shifted, textRowsXml, workbookOf, zipOf } from '@groundswell/connectors/file/packed/testing.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { acceptText } from './accept-text.ts'
import { exportFeedback } from './export.ts'
import { createImport } from './imports/create-import.ts'
import { runImport } from './imports/run-import.ts'
import { feedbackRoutes } from './routes.ts'

let ann: TestPerson
const hooks = { stored: async () => {} }

const test = appOfFile((services) => ({
  handlers: [...accountRoutes(services), ...feedbackRoutes(services, hooks)],
  rawLimit: 8 * 1024 * 1024,
}))
beforeEach(async () => {
  ann = await test.person(randomUUID())
})

const preview = async (query: string, payload: string | Buffer) => {
  const answer = await test.call('POST', `/api/imports/preview?${query}`, { as: ann, payload })
  return { status: answer.statusCode, ...answer.json() }
}
/** Sends a file, reads it, and returns what is stored. */
async function bring(query: string, payload: string | Buffer) {
  const started = await test.call('POST', `/api/imports?${query}`, { as: ann, payload })
  expect(started.statusCode).toBe(200)
  const ended = await runImport(test.services, ann.workspaceId, started.json().id, hooks)
  const items = await Array.fromAsync(exportFeedback(test.services, ann.workspaceId))
  return {
    ended,
    texts: items.map((item) => item.text),
    dates: items.map((item) => item.date.slice(0, 10)),
    known: items.map((item) => item.date_known ?? true),
  }
}
const western = Buffer.from('id,text\r\n1,d\xe9j\xe0 vu \x97 5 \x80\r\n', 'latin1')

describe('the parameters of a call decide how a file is read', () => {
  it('in which zones its dates are', async () => {
    const text = 'date,text\n2026/10/04 1:00:00 AM IST,first message\nsome day,second message\n'
    const assumed = await preview('name=a.csv', text)
    expect(assumed.zones).toMatchObject([
      { name: 'IST', offset: '+05:30', places: [{ offset: '+05:30', place: 'India' }, {}, {}] },
    ])
    expect(assumed.undated).toEqual({ rows: 1, samples: ['some day'], why: null })
    const zones = encodeURIComponent('IST=+00:30,CST=-08:00')
    expect((await preview(`name=a.csv&zones=${zones}`, text)).zones).toMatchObject([{ name: 'IST', offset: '+00:30' }])
    expect(await bring(`name=a.csv&zones=${zones}`, text)).toMatchObject({
      ended: { added: 2, bad: 0, undated: 1, problems: [] },
      texts: ['first message', 'second message'],
      dates: ['2026-10-04', expect.any(String)],
      known: [true, false],
    })
    expect((await bring('name=b.csv', text.replace('first', 'another'))).dates[2]).toBe('2026-10-03')
    for (const wrong of ['IST', 'IST=5', 'IST=+15:00', '=+01:00'])
      expect(await preview(`name=a.csv&zones=${encodeURIComponent(wrong)}`, text)).toMatchObject({ status: 400 })
  })

  it('whether its first line is a header', async () => {
    const text = 'alpha,first message\nbeta,second message\ngamma,third message'
    expect(await preview('name=a.csv', text)).toMatchObject({ header: false, columns: ['1', '2'] })
    expect(await preview('name=a.csv&header=true', text)).toMatchObject({
      header: true,
      columns: ['alpha', 'first message'],
      rows: [
        ['beta', 'second message'],
        ['gamma', 'third message'],
      ],
    })
    const { texts } = await bring('name=a.csv&header=true', text)
    expect(texts).toEqual(['second message', 'third message'])
  })

  it('in which encoding', async () => {
    expect(await preview('name=a.csv', western)).toMatchObject({
      encoding: 'windows-1252',
      rows: [['1', 'déjà vu — 5 €']],
      problems: [],
    })
    expect((await preview('name=a.csv&encoding=macintosh', western)).rows[0][1]).not.toContain('déjà')
    expect(await bring('name=a.csv', western)).toMatchObject({ texts: ['déjà vu — 5 €'], ended: { bad: 0 } })
    const chosen = await bring('name=b.csv&encoding=windows-1251', Buffer.from('id,text\n9,\xcf\xf0\n', 'latin1'))
    expect(chosen.texts).toContain('Пр')
  })

  it('which number of a date is the day, otherwise judged by the whole column', async () => {
    const lines = Array.from(
      { length: 4000 },
      (_, at) => `${at},0${(at % 9) + 1}/02/2026,message number ${at} of a long file`,
    )
    const text = ['id,date,text', ...lines, 'last,31/01/2026,the message that tells'].join('\n')
    expect(await preview('name=a.csv', text.slice(0, 60_000))).toMatchObject({ date_order: 'undecided' })
    const { ended, dates } = await bring('name=a.csv', text)
    expect(ended).toMatchObject({ state: 'done', added: 4001, bad: 0 })
    expect([dates[0], dates[8], dates.at(-1)]).toEqual(['2026-02-01', '2026-02-09', '2026-01-31'])
  })

  it('which number of a date is the day, where the column is ambiguous', async () => {
    const text = 'date,text\n03/04/2026,one message\n05/06/2026,another one'
    expect((await bring('name=a.csv&date_order=day_first', text)).dates).toEqual(['2026-04-03', '2026-06-05'])
  })

  it('which columns, and the preview shows what comes of it', async () => {
    const text = 'day,text\nsoon,one message\nlater,another one'
    const mapping = encodeURIComponent(JSON.stringify({ text: 'text', date: 'day' }))
    expect((await preview('name=a.csv', text)).problems).toEqual([])
    expect(await preview(`name=a.csv&mapping=${mapping}`, text)).toMatchObject({
      problems: [],
      undated: { rows: 2, samples: ['soon', 'later'], why: null },
    })
  })

  it.each([
    ['an encoding', 'encoding=ebcdic', ['encoding']],
    ['an order of dates', 'date_order=year_first', ['date_order']],
    ['a header', 'header=maybe', ['header']],
    ['a mapping', 'mapping={"text":7}', ['mapping.text']],
  ])('and is refused by name for %s that nobody knows', async (_, query, fields) => {
    for (const path of ['/api/imports/preview', '/api/imports']) {
      const answer = await test.call('POST', `${path}?name=a.csv&${query}`, { as: ann, payload: 'id,text\n1,a' })
      expect(answer.statusCode).toBe(400)
      expect(Object.keys(answer.json().fields)).toEqual(fields)
    }
  })
})

it('an export of Google Play is recognised as it comes', async () => {
  const file = readFileSync(new URL('../../../connectors/file/fixtures/google-play.csv', import.meta.url))
  expect(await preview('name=reviews.csv', file)).toMatchObject({
    preset: 'Google Play',
    encoding: 'utf-16le',
    header: true,
    mapping: { text: 'Review Text', title: 'Review Title', date: 'Review Submit Date and Time' },
  })
  const { texts, dates } = await bring('name=reviews.csv', file)
  expect(texts).toContain('Absturz\n\nDie App stürzt beim Scannen ab, jedes Mal. Früher ging es.')
  expect(dates[0]).toBe('2026-10-02')
})

describe('a workbook', () => {
  const rows = Array.from({ length: 7_000 }, (_, at) => [`r${at}`, `It fails ${hash('sha256', String(at))}`])
  const file = workbookOf({
    Notes: textRowsXml([
      ['id', 'message'],
      ['n', 'A note'],
    ]),
    App: textRowsXml([['id', 'message'], ...rows]),
  })

  it('is read from its stored pieces, by the chosen sheet', async () => {
    expect(file.byteLength).toBeGreaterThan(256 * 1024)
    const { ended, texts } = await bring('name=a.xlsx&sheet=App', file)
    expect(ended).toMatchObject({
      state: 'done',
      added: 7_000,
      bad: 0,
      bytes: file.byteLength,
      bytes_read: file.byteLength,
    })
    expect(texts).toEqual(rows.map(([, text]) => text))
  })

  it('is refused before it is listed, where it has no such sheet', async () => {
    const answer = await test.call('POST', '/api/imports?name=a.xlsx&sheet=Web', { as: ann, payload: file })
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'The workbook has no sheet "Web"'])
    expect((await test.call('GET', '/api/imports', { as: ann })).json()).toEqual({ imports: [] })
  })

  it('is previewed by its first bytes and the list of contents behind them only', async () => {
    const small = workbookOf({
      Notes: textRowsXml([
        ['id', 'message'],
        ['n', 'A note'],
      ]),
    })
    const behind = Buffer.concat([file.subarray(0, 256 * 1024), shifted(small, 256 * 1024)])
    expect(await preview('name=a.xlsx', behind)).toMatchObject({
      status: 200,
      format: 'xlsx',
      sheet: 'Notes',
      sheets: ['Notes'],
    })
    const text = Buffer.alloc(300 * 1024, 'id,text\n')
    expect(await preview('name=a.csv', text)).toMatchObject({ status: 413 })
  })
})

describe('an export of a Slack workspace', () => {
  const said = (user: string, ts: string, text: string, thread?: string) => ({
    type: 'message',
    user,
    ts,
    text,
    ...(thread ? { thread_ts: thread } : {}),
  })
  const replies = [
    'Thank you for reaching out, we are sorry for the inconvenience',
    'Hello, please send us your order number so that we can look into this',
    'Thanks for your patience, our team is looking into it',
    'We apologize for the trouble, please contact our support team',
    'Thank you for letting us know, please let us know if you need anything else',
    'Hi, sorry to hear that. Could you please send us a direct message with your account number?',
  ]
  const asked = replies.flatMap((reply, at) => {
    const root = `17908411${at}0.000100`
    const customer = said(
      'U0A',
      root,
      `The CSV export of report ${hash('sha256', String(at))} stops halfway &amp; fails`,
      root,
    )
    return [customer, said('U0T', `17908411${at}5.000100`, reply, root)]
  })
  const days = Array.from({ length: 2_100 }, (_, at) => {
    const text = `Day ${at}: sync of ${hash('sha256', `d${at}`)} fails`
    return [
      `old-bugs/${new Date(Date.UTC(2019, 0, 1 + at)).toISOString().slice(0, 10)}.json`,
      JSON.stringify([said(`U${at % 700}`, `15${String(at).padStart(8, '0')}.000100`, text)]),
    ]
  })
  const file = zipOf({
    'channels.json': JSON.stringify([{ id: 'C01', name: 'export-bugs' }]),
    'users.json': JSON.stringify([
      { id: 'U0A', profile: { display_name: 'Una' } },
      { id: 'U0T', profile: { display_name: 'Team Tia' } },
    ]),
    ...Object.fromEntries(days),
    'export-bugs/2026-10-01.json': JSON.stringify(asked),
    'export-bugs/2026-10-02.json': '[{"type":"message","us',
  })

  it('is stored by the import call: messages with author, channel and thread, own replies as context, a damaged day by its name', async () => {
    const { ended, texts } = await bring('name=Acme%20export.zip', file)
    expect(ended).toMatchObject({
      state: 'done',
      added: days.length + replies.length,
      context: replies.length,
      own_people: ['Team Tia'],
      bad: 1,
      problems: [{ reason: expect.stringMatching(/^export-bugs\/2026-10-02\.json is damaged/) }],
    })
    expect(texts).toContain(`The CSV export of report ${hash('sha256', '0')} stops halfway & fails`)
    const items = await Array.fromAsync(exportFeedback(test.services, ann.workspaceId))
    expect(items.find(({ text }) => text.startsWith('The CSV export'))).toMatchObject({
      author: 'Una',
      place: '#export-bugs',
      thread: expect.stringMatching(/^C01:1790841/),
    })
  })

  it('is previewed as one, with its first messages', async () => {
    const seen = await preview(
      'name=export.zip',
      zipOf({ 'users.json': '[]', 'export-bugs/2026-10-01.json': JSON.stringify(asked) }),
    )
    expect(seen).toMatchObject({
      status: 200,
      preset: 'Slack',
      format: 'jsonl',
      mapping: { text: 'text', thread: 'thread' },
    })
  })
})

describe('what is no text', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])

  it.each([
    ['a picture', png, /picture/],
    ['half a workbook', Buffer.from('PK\u0003\u0004rest of it'), /damaged or incomplete/],
    ['a PDF', Buffer.from('%PDF-1.7 and so on'), /PDF.*CSV/],
    ['bytes', Buffer.alloc(20_000, Buffer.from([1, 0, 2, 200, 7])), /no text/],
  ])('is refused by both calls, and nothing is stored: %s', async (_, payload, reason) => {
    for (const path of ['/api/imports/preview', '/api/imports']) {
      const answer = await test.call('POST', `${path}?name=a.csv`, { as: ann, payload })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'invalid_input', fields: { body: expect.stringMatching(reason) } })
    }
    expect((await test.call('GET', '/api/imports', { as: ann })).json()).toEqual({ imports: [] })
  })

  it('is refused however the bytes come, and before the rest is read', async () => {
    let read = 0
    async function* drops() {
      for (let at = 0; at < 100_000; at += 1) {
        read += 1
        yield Uint8Array.of(png[at] ?? 0)
      }
    }
    const refused = createImport(test.services, ann.workspaceId, { name: 'a.csv' }, drops(), { background: false })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input' })
    expect(read).toBeLessThan(10_000)
  })

  it('is distinguished from text, which passes unchanged in any chunks', async () => {
    const bytes = Buffer.from('id,text\n'.repeat(3000))
    for (const size of [1, 1000, 5000, bytes.byteLength]) {
      async function* chunks() {
        for (let from = 0; from < bytes.byteLength; from += size) yield bytes.subarray(from, from + size)
      }
      const passed = await Array.fromAsync(acceptText(chunks(), {}))
      expect(Buffer.concat(passed).equals(bytes)).toBe(true)
    }
    async function* nothing() {}
    expect(await Array.fromAsync(acceptText(nothing(), {}))).toEqual([])
  })
})
