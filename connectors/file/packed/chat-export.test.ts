import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../../kit/errors.ts'
import { preview } from '../preview.ts'
import { chunked, options, readAll } from '../testing.ts'
import { zipOf } from './testing.ts'

const json = (value: unknown) => JSON.stringify(value, null, 4)
const TS = '1790841100.000200'
const users = [
  { id: 'U0A', name: 'una', real_name: 'Una Ulm', profile: { display_name: 'Una', real_name: 'Una Ulm' } },
  { id: 'U0B', name: 'vic', profile: { display_name: '', real_name: 'Vic Voss' } },
  { id: 'U0R', name: 'robot', is_bot: true, profile: { real_name: 'Robot' } },
]
const channels = [{ id: 'C01', name: 'export-bugs' }]
const said = (ts: string, text: string, more: object = {}) => ({ type: 'message', ts, user: 'U0A', text, ...more })
const first = [
  { type: 'message', subtype: 'channel_join', ts: '1790841000.000100', user: 'U0A', text: '<@U0A> has joined' },
  said(TS, 'Hi &lt;team&gt; the CSV export &amp; the PDF export fail for <https://acme.example.com/r/1|our report>', {
    thread_ts: TS,
    reply_count: 1,
  }),
  said('1790841200.000300', 'Same here <@U0A>, see <#C01|export-bugs> :tada:', { user: 'U0B', thread_ts: TS }),
  { type: 'message', subtype: 'bot_message', bot_id: 'B01', ts: '1790841300.000400', text: 'Reminder: the survey' },
  said('1790841400.000500', 'I am a bot', { user: 'U0R' }),
]
const second = [
  said('1790927500.000100', 'It fails on the next day too', { thread_ts: TS }),
  said('1790927600.000100', 'From somebody of another workspace', {
    user: 'U9Z',
    user_profile: { real_name: 'Wim Wolf', display_name: '' },
  }),
]
const whole = {
  'channels.json': json(channels),
  'users.json': json(users),
  'integration_logs.json': '[]',
  'export-bugs/2026-10-01.json': json(first),
  'export-bugs/2026-10-02.json': json(second),
  'random/2026-10-01.json': json([said('1790841500.000100', 'Lunch anyone?', { user: 'U0X' })]),
  'D0AAAAAA1/2026-10-01.json': json([said('1790841500.000200', 'This is between us')]),
}
const texts = [
  'Hi <team> the CSV export & the PDF export fail for our report (https://acme.example.com/r/1)',
  'Same here @Una, see #export-bugs 🎉',
  'It fails on the next day too',
  'From somebody of another workspace',
  'Lunch anyone?',
]
const inside = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]))

describe('an export of a Slack workspace', () => {
  it.each([
    ['as Slack makes it', whole],
    ['in a folder of its own', inside('Acme Slack export Oct 1 2026', whole)],
  ])('%s has the messages of people, with their names, channel and thread', async (_, files) => {
    const { items, problems } = await readAll(zipOf(files), 'export.zip')
    expect(items.map(({ text }) => text)).toEqual(texts)
    expect(items[0]).toEqual({
      externalId: `C01:${TS}`,
      text: texts[0],
      author: 'Una',
      at: new Date('2026-10-01T07:51:40.000Z'),
      link: null,
      thread: `C01:${TS}`,
      place: '#export-bugs',
      attributes: { channel: 'export-bugs' },
    })
    expect(items.map(({ author, thread }) => [author, thread])).toEqual([
      ['Una', `C01:${TS}`],
      ['Vic Voss', `C01:${TS}`],
      ['Una', `C01:${TS}`],
      ['Wim Wolf', 'C01:1790927600.000100'],
      ['U0X', 'random:1790841500.000100'],
    ])
    expect(problems.map(({ reason }) => reason)).toEqual([
      'The row is a notice of the channel, such as a join, not a message',
      'The message was written by a bot',
      'The message was written by a bot',
    ])
  })

  it('is recognised by a preview, also of its first part', async () => {
    const file = zipOf(whole)
    const seen = await preview(file, options('export.zip'))
    expect(seen).toMatchObject({
      format: 'jsonl',
      preset: 'Slack',
      mapping: { text: 'text', author: 'author', date: 'date', id: 'id', thread: 'thread' },
      found: { bad: 3, whole: true },
    })
    expect(seen.found.items.map(({ text }) => text)).toEqual(texts)
  })

  it('has the same ids when it is read again, by the choices of its preview', async () => {
    const file = zipOf(whole)
    const { mapping, format } = await preview(file, options('export.zip'))
    const [once, again] = [await readAll(file, 'export.zip'), await readAll(file, 'other.zip', { mapping, format })]
    expect(again.items).toEqual(once.items)
  })

  it('may have more than 2,000 days', async () => {
    const days = Array.from({ length: 2_500 }, (_, at) => {
      const day = new Date(Date.UTC(2019, 0, 1 + at)).toISOString().slice(0, 10)
      return [`general/${day}.json`, json([said(`15${String(at).padStart(8, '0')}.000100`, `Message ${at}`)])]
    })
    const { items } = await readAll(zipOf({ ...Object.fromEntries(days), ...whole }), 'export.zip')
    expect(items).toHaveLength(2_500 + texts.length)
  })

  it('without users.json says so, and names people as their messages do', async () => {
    const { 'users.json': _, ...files } = whole
    const { items, problems } = await readAll(zipOf(files), 'export.zip')
    expect(problems[0]?.reason).toMatch(/^users\.json is missing/)
    expect(items.map(({ author }) => author)).toEqual(['U0A', 'U0B', 'U0R', 'U0A', 'Wim Wolf', 'U0X'])
  })

  it.each([
    ['no JSON', 'Not found'],
    ['an object', '{"ok":false}'],
    ['nothing', ''],
    ['a file that ends early', json(first).slice(0, 700)],
    ['a list of something else', '[1,2]'],
  ])('names a day that is %s, and has all others', async (_, day) => {
    const { items, problems } = await readAll(zipOf({ ...whole, 'export-bugs/2026-10-01.json': day }), 'export.zip')
    expect(items.map(({ text }) => text)).toEqual(expect.arrayContaining(texts.slice(2)))
    const named = problems.filter(({ reason }) => reason.includes('export-bugs/2026-10-01.json is damaged'))
    expect(named).toHaveLength(1)
  })

  it('with a damaged users.json or channels.json names it, and is read', async () => {
    const files = { ...whole, 'users.json': '[{"id":"U0A","real_na', 'channels.json': 'gone' }
    const { items, problems } = await readAll(zipOf(files), 'export.zip')
    expect(items).toHaveLength(texts.length + 1)
    expect(problems.slice(0, 2).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^users\.json is damaged/),
      expect.stringMatching(/^channels\.json is damaged/),
    ])
  })

  it('is not what only has the names of days', async () => {
    const page = (text: string) => json([{ id: 1, message: text, created_at: '2026-10-01' }])
    const pages = zipOf({ 'a/2026-10-01.json': page('One'), 'a/2026-10-02.json': page('Two') })
    expect((await preview(pages, options('a.zip'))).preset).toBeNull()
    expect((await readAll(pages, 'a.zip')).texts).toEqual(['One', 'Two'])
    await expect(readAll(zipOf({ 'a/2026-10-01.json': '[]', 'b/2026-10-01.json': '[]' }))).rejects.toThrow('empty')
  })

  it('may be days of a channel alone, whose people are named as their messages name them', async () => {
    const by = (name: string, ...message: Parameters<typeof said>) => ({
      ...said(...message),
      user_profile: { real_name: name, display_name: '' },
    })
    const days = {
      'export-bugs/2026-10-01.json': json([...first.slice(0, 2), by('Vic Voss', '1790841200.000300', 'Same <@U0A>')]),
      'export-bugs/2026-10-02.json': json([by('Una Ulm', '1790927500.000100', 'Still &lt;broken&gt;')]),
      'export-bugs/2026-10-03.json': '[]',
    }
    const { items, problems } = await readAll(zipOf(days), 'export-bugs.zip')
    expect(items.map(({ text, author, place }) => [text, author, place])).toEqual([
      [texts[0], 'Una Ulm', '#export-bugs'],
      ['Same @Una Ulm', 'Una Ulm', '#export-bugs'],
      ['Still <broken>', 'Una Ulm', '#export-bugs'],
    ])
    expect(problems).toHaveLength(1)
    const bare = Object.fromEntries(Object.entries(days).map(([name, day]) => [name.replace(/.*\//, ''), day]))
    const alone = await readAll(zipOf(bare), '2 files')
    expect(alone.items.map(({ externalId, place }) => [externalId, place])[0]).toEqual([TS, '2 files'])
  })
})

describe('a day of a channel', () => {
  const day = json([
    ...first.slice(0, 4),
    { ...said('1790841500.000600', '<@U0B>: it fails for us &amp; them'), user_profile: { real_name: 'Una Ulm' } },
    said('1790841600.000600', ''),
  ])

  it.each([
    ['by its name', '2026-10-01.json', day],
    ['by its content', 'channel.txt', day],
    ['as a pipe', '-', chunked(day, 100)],
    ['in an archive', 'day.zip', zipOf({ 'day.json': day })],
    ['packed by gzip', '2026-10-01.json.gz', gzipSync(day)],
    ['packed by gzip as a pipe', '-', chunked(gzipSync(day), 100)],
  ])('is cleaned like an export of the workspace, known %s', async (_, name, file) => {
    const { items, problems } = await readAll(file, name)
    expect(items.map(({ text, author }) => [text, author])).toEqual([
      [texts[0], 'Una Ulm'],
      ['Same here @Una Ulm, see #export-bugs 🎉', 'U0B'],
      ['@U0B: it fails for us & them', 'Una Ulm'],
    ])
    expect(items[1]).toMatchObject({ externalId: '1790841200.000300', thread: TS })
    expect(items.every(({ attributes }) => attributes === undefined)).toBe(true)
    expect(problems.map(({ reason }) => reason)).toEqual([
      'The row is a notice of the channel, such as a join, not a message',
      'The message was written by a bot',
      'The text is empty',
    ])
  })

  it.each([
    ['2026-10-01.json', Buffer.from(day)],
    ['2026-10-01.json.gz', gzipSync(day)],
  ])('is said to be of Slack by a preview, and read by its choices: %s', async (name, file) => {
    const seen = await preview(file, options(name))
    expect(seen).toMatchObject({ preset: 'Slack', format: 'jsonl', files: 1 })
    const { mapping, format } = seen
    expect((await readAll(file, name, { mapping, format })).items).toEqual(seen.found.items)
  })
})

describe('an archive that was made to do harm', () => {
  const zeros = (bytes: number) => `[${' '.repeat(bytes)}]`

  it('with thousands of files that are no days is refused', async () => {
    const files = Object.fromEntries(Array.from({ length: 2_100 }, (_, at) => [`f${at}.csv`, 'a']))
    await expect(readAll(zipOf(files), 'a.zip')).rejects.toThrow('The archive has 2,100 files')
  })

  it.each([
    ['in one day', { 'export-bugs/2026-10-01.json': zeros(20 * 1024 * 1024) }],
    [
      'in many days, none of which is large',
      Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [`export-bugs/2025-10-${10 + at}.json`, zeros(1024 * 1024)]),
      ),
    ],
  ])('and unpacks to far more than it should, %s, is refused', async (_, files) => {
    const all = readAll(zipOf({ ...whole, ...files }), 'a.zip')
    await expect(all).rejects.toThrow(Rejected)
    await expect(all).rejects.toThrow(/far more/)
  })
})
