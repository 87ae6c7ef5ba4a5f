import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonListSplitter, listPathOf, listPlaceOf } from './json-list.ts'
import { preview } from './preview.ts'
import { chunked, options, readAll } from './testing.ts'

function split(text: string, size: number, path: string[] = []) {
  const splitter = jsonListSplitter(path)
  const bytes = Buffer.from(text)
  const lines = []
  for (let from = 0; from < bytes.byteLength; from += size) {
    const chunk = Uint8Array.from(bytes.subarray(from, from + size))
    lines.push(...splitter.push(chunk))
    chunk.fill(0)
  }
  return [...lines, ...splitter.end()]
}

it('follows objects and lists inside each other without effort, however deep they are', () => {
  const deep = (sign: string) => Buffer.from(sign.repeat((8 * 1024 * 1024) / sign.length))
  expect(listPathOf(deep('{'))).toBeNull()
  expect(listPathOf(deep('{"a":'))).toBeNull()
  const list = `{"data":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)},"items":[{"text":"a"}]}}`
  expect(listPathOf(Buffer.from(list))).toEqual(['data', 'items'])
  expect(split(list, 1000, ['data', 'items']).map(({ text }) => text)).toEqual(['{"text":"a"}'])
})

describe('objects by their ids', () => {
  const split = (value: unknown) => listPlaceOf(Buffer.from(JSON.stringify(value)))

  it('are messages where each has what the next one has', () => {
    expect(split({ 17: { text: 'a' }, 18: { text: 'b' } })).toEqual({ path: [], of: 'entries' })
    expect(split({ ok: true, rows: { r1: { text: 'a', tags: [{ name: 'x' }] }, r2: { text: 'b' } } })).toEqual({
      path: ['rows'],
      of: 'entries',
    })
  })

  it.each([
    ['columns by their names', { text: { 0: 'a', 1: 'b' }, rating: { 0: 1, 1: 2 } }],
    ['fields of one message', { id: 'm1', text: 'a', fields: { f1: { value: 1 }, f2: { value: 2 } } }],
    ['one object alone', { 17: { text: 'a' } }],
    ['objects that share nothing', { a1: { text: 'a' }, a2: { total: 2 } }],
    ['parts of an object that has no message', { total: 3, days: { d1: { count: 1 }, d2: { count: 2 } } }],
  ])('are not %s', (_, value) => {
    expect(split(value)).toBeNull()
  })

  it('come after a list of messages beside them', () => {
    const rows = { r1: { text: 'a' }, r2: { text: 'b' } }
    expect(split({ rows, feedback: [{ text: 'a' }] })).toEqual({ path: ['feedback'], of: 'objects' })
    expect(split({ rows, colors: [{ name: 'red' }] })).toEqual({ path: ['rows'], of: 'entries' })
  })

  it('are not the fields of messages in lines', async () => {
    const line = (text: string) => JSON.stringify({ answers: { q1: { value: text }, q2: { value: 'no' } } })
    expect(listPlaceOf(Buffer.from(`${line('a')}\n${line('b')}\n`))).toBeNull()
  })

  it('keep their own key and get theirs where they have none, however the bytes are split', async () => {
    const text = '{ "a\\"1": {"key": "own", "text": "one"},\n "a2" : { "text": "two, }" }, "a3": {}, "a4": 7 }'
    for (const size of [1, 3, 1000]) {
      const { items, problems } = await readAll(chunked(text, size), 'a.json')
      expect(items.map((item) => [item.externalId, item.text])).toEqual([
        ['own', 'one'],
        ['a2', 'two, }'],
      ])
      expect(problems).toEqual([
        { line: 3, reason: 'The text is empty' },
        { line: 4, reason: 'The line is not valid JSON' },
      ])
    }
  })
})

it('finds the cards of a board far behind its other lists', async () => {
  const actions = Array.from({ length: 1500 }, (_, at) => ({
    id: `a${at}`,
    type: 'updateCard',
    date: '2026-10-01',
    data: { old: at },
  }))
  const cards = ['Print view', 'Shortcuts'].map((name, at) => ({
    id: `c${at}`,
    name,
    desc: '',
    idList: 'l',
    idShort: at,
  }))
  const { texts } = await readAll(
    JSON.stringify({ id: 'b', name: 'Board', actions, cards, labels: [{ id: 'x' }] }),
    'b.json',
  )
  expect(texts).toEqual(['Print view', 'Shortcuts'])
})

describe('one JSON array', () => {
  it('is split into its elements, however the bytes are split and whatever they contain', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), value), { minLength: 1 }),
        fc.constantFrom(undefined, 2),
        fc.integer({ min: 1, max: 40 }),
        (list, indent, size) => {
          const lines = split(JSON.stringify(list, null, indent), size)
          expect(lines.map((line) => JSON.parse(line.text))).toEqual(JSON.parse(JSON.stringify(list)))
          expect(lines.map((line) => line.number)).toEqual(list.map((_, at) => at + 1))
        },
      ),
    )
  })

  it('is read like JSON lines, in one line or in many', async () => {
    const list = [
      { id: 1, text: 'a, "quoted" ] message', user: { name: 'Ann' } },
      { id: 2, text: 'over\ntwo lines \\', user: { name: 'Bo' } },
      { id: 3, text: '[{', user: { name: 'Cy' } },
    ]
    for (const text of [JSON.stringify(list), JSON.stringify(list, null, 2), `\uFEFF  ${JSON.stringify(list)}\n\n`]) {
      for (const name of ['a.json', 'a.jsonl', 'feedback']) {
        const { items, problems, lines } = await readAll(chunked(text, 9), name)
        expect(problems).toEqual([])
        expect(items.map((item) => [item.externalId, item.text, item.author])).toEqual(
          list.map((one) => [String(one.id), one.text, one.user.name]),
        )
        expect(lines).toEqual([1, 2, 3])
      }
    }
  })

  it('has a preview, also where the first part ends within an element', async () => {
    const list = Array.from({ length: 5000 }, (_, at) => ({ id: at, message: `message number ${at} of many` }))
    const text = JSON.stringify(list)
    const seen = await preview(Buffer.from(text.slice(0, 100_000)), options('a.json'))
    expect(seen).toMatchObject({ format: 'jsonl', columns: ['id', 'message'], problems: [] })
    expect((await readAll(text, 'a.json')).items).toHaveLength(5000)
  })

  it('names bad elements by their number, and the rest is read', async () => {
    const { texts, problems } = await readAll('[{"text":"one"},{"text":},7,{"text":"four"}]', 'a.json')
    expect(texts).toEqual(['one', 'four'])
    expect(problems).toEqual([
      { line: 2, reason: 'The line is not valid JSON' },
      { line: 3, reason: 'The line is JSON, but not an object in { }' },
    ])
  })

  it('that is truncated gives all complete elements and one bad one', async () => {
    const { texts, problems } = await readAll('[{"text":"one"},{"text":"two"},{"text":"thr', 'a.json')
    expect(texts).toEqual(['one', 'two'])
    expect(problems).toEqual([{ line: 3, reason: 'The line is not valid JSON' }])
  })

  it('does not buffer an endless element', () => {
    const splitter = jsonListSplitter([])
    splitter.push(Buffer.from('[{"text":"'))
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const before = process.memoryUsage().arrayBuffers
    for (let at = 0; at < 800; at += 1) expect(splitter.push(chunk)).toEqual([])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30 * 1024 * 1024)
    expect(splitter.push(Buffer.from('"},{"text":"next"}]'))).toEqual([
      { number: 1, text: '', problem: 'The line is longer than 1 MiB' },
      { number: 2, text: '{"text":"next"}', problem: null },
    ])
  })

  it('is distinguished from text and from JSON lines', () => {
    const starts = (text: string) => listPathOf(Buffer.from(text))?.length === 0
    expect([starts('[{"a":1}]'), starts(' [\n  {'), starts('[')]).toEqual([true, true, true])
    expect([starts('{"a":[{}]}'), starts('[x] done'), starts('[1,2]'), starts('')]).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})

describe('one object around a list', () => {
  const discord = {
    guild: { id: '1', name: 'Acme' },
    exportedAt: '2026-10-10T10:00:00+00:00',
    messages: [
      {
        id: '1084249090889613361',
        timestamp: '2026-10-01T14:58:47.642-08:00',
        content: 'The overlay } crashes',
        author: { name: 'kit', roles: { top: 'mod' } },
      },
      {
        id: '1084249090889613362',
        timestamp: '2026-10-02T14:58:47.642-08:00',
        content: 'It crashes ["again"]',
        author: { name: 'lou' },
      },
    ],
    messageCount: 2,
  }

  it.each([
    ['on one line', undefined],
    ['pretty-printed', 2],
  ])('is read by its list, %s', async (_, indent) => {
    const text = JSON.stringify(discord, null, indent)
    for (const name of ['export.json', 'export', 'export.txt', 'export.jsonl']) {
      const { items, problems, lines } = await readAll(chunked(text, 7), name)
      expect(problems).toEqual([])
      expect(lines).toEqual([1, 2])
      expect(items.map((item) => [item.externalId, item.text, item.author, item.at.toISOString()])).toEqual([
        ['1084249090889613361', 'The overlay } crashes', 'kit', '2026-10-01T22:58:47.642Z'],
        ['1084249090889613362', 'It crashes ["again"]', 'lou', '2026-10-02T22:58:47.642Z'],
      ])
    }
    expect(await preview(Buffer.from(text), options('export.json'))).toMatchObject({
      format: 'jsonl',
      columns: ['id', 'timestamp', 'content', 'author.name', 'author.roles.top'],
      mapping: { text: 'content', id: 'id', date: 'timestamp' },
    })
  })

  it('with any keys and any content is split into the elements of its list', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    const object = fc.dictionary(fc.string({ unit: 'grapheme' }), value)
    fc.assert(
      fc.property(object, fc.array(object, { minLength: 1 }), fc.integer({ min: 1, max: 40 }), (around, list, size) => {
        const text = JSON.stringify({ ...around, data: { ...around, tickets: list }, after: around }, null, size % 3)
        const lines = split(text, size, ['data', 'tickets'])
        expect(lines.map((line) => JSON.parse(line.text))).toEqual(JSON.parse(JSON.stringify(list)))
      }),
    )
  })

  const row = { id: 1, description: 'It crashes' }
  it.each([
    ['a page of Zendesk', { tickets: [row], users: [{ id: 2, name: 'Ann' }], next_page: null, count: 1 }, ['tickets']],
    ['the same with people first', { users: [{ id: 2, name: 'Ann' }], tickets: [row] }, ['tickets']],
    ['a page with a message of its own', { message: 'OK', data: [row] }, ['data']],
    ['GraphQL', { data: { issues: { nodes: [row] } } }, ['data', 'issues', 'nodes']],
    ['HAL', { _embedded: { conversations: [row] }, page: { size: 1 } }, ['_embedded', 'conversations']],
    ['a list with a name that nobody knows', { export: { kommentare: [row] } }, ['export', 'kommentare']],
    ['one message', { id: 1, text: 'It crashes', tags: [{ name: 'bug' }] }, null],
    ['an object with an empty list', { data: [] }, null],
    ['a list of texts', { messages: ['one', 'two'] }, null],
  ])('is told from a message: %s', (_, value, path) => {
    for (const indent of [undefined, 2])
      expect(listPathOf(Buffer.from(JSON.stringify(value, null, indent)))).toEqual(path)
  })

  it('is told from JSON Lines whose messages have lists', () => {
    const line = JSON.stringify({ id: 1, parts: [{ body: 'It crashes' }] })
    expect(listPathOf(Buffer.from(`${line}\n${line}\n`))).toBeNull()
    const pages = JSON.stringify({ results: [row], next: null })
    expect(listPathOf(Buffer.from(`${pages}\n${pages}\n`))).toEqual(['results'])
  })

  it('several times, such as the pages of an API one after the other, is one list', async () => {
    const page = (...ids: number[]) =>
      JSON.stringify({ results: ids.map((id) => ({ id, body: `It crashes (${id})` })), next: 'x' })
    const { items, lines } = await readAll(`${page(1, 2)}\n${page(3)}\n${page(4)}`, 'all.json')
    expect(items.map(({ externalId }) => externalId)).toEqual(['1', '2', '3', '4'])
    expect(lines).toEqual([1, 2, 3, 4])
  })

  it('is found where the list begins after the first 64 KiB', async () => {
    const text = JSON.stringify({ meta: 'x'.repeat(100_000), data: [{ id: 7, message: 'It crashes' }] })
    expect((await readAll(text, 'a.json')).texts).toEqual(['It crashes'])
  })

  it('fields of objects inside objects are chosen by their path, to three levels', async () => {
    const lines = ['a', 'b', 'c'].map((id) =>
      JSON.stringify({
        id,
        ticket: { fields: { 'what.happened': `It crashes (${id})`, more: { deep: 1 } } },
        'by.whom': { name: 'Ann' },
      }),
    )
    const { columns } = await preview(Buffer.from(lines.join('\n')), options('a.jsonl'))
    expect(columns).toEqual(['id', 'ticket.fields.what.happened', 'ticket.fields.more', 'by.whom.name'])
    const mapping = { text: 'ticket.fields.what.happened', author: 'by.whom.name', id: 'id' }
    const { items } = await readAll(lines.join('\n'), 'a.jsonl', { mapping })
    expect(items[0]).toMatchObject({ externalId: 'a', text: 'It crashes (a)', author: 'Ann' })
  })
})

describe('objects over several lines', () => {
  const messages = [
    { id: '9007199254740993', text: 'a } "quoted" { message', user: { name: 'Ann' } },
    { id: '2', text: 'The next\none', user: { name: 'Bo' } },
  ]
  const spread = messages.map((one) => JSON.stringify(one, null, 2))

  it.each([
    ['one', spread.slice(0, 1).join('')],
    ['one after the other, as jq prints them', spread.join('\n')],
    ['with a byte order mark and lines of Windows', `\uFEFF${spread.join('\n').replaceAll('\n', '\r\n')}\r\n`],
  ])('are messages: %s', async (_, text) => {
    for (const size of [7, 4096]) {
      const { items, problems } = await readAll(chunked(text, size), 'a.json')
      expect(problems).toEqual([])
      const expected = messages.slice(0, items.length).map(({ id, text, user }) => [id, text, user.name])
      expect(items.map(({ externalId, text, author }) => [externalId, text, author])).toEqual(expected)
      expect(items.length).toBe(text.includes('The next') ? 2 : 1)
    }
    expect((await preview(Buffer.from(text), options('a.json'))).columns).toEqual(['id', 'text', 'user.name'])
  })

  it('name the broken one by its number', async () => {
    const { texts, problems } = await readAll(`{\n "text": "one"\n}\n{\n "text": \n}\n{ "text": "three" }`, 'a.json')
    expect(texts).toEqual(['one', 'three'])
    expect(problems).toEqual([{ line: 2, reason: 'The line is not valid JSON' }])
  })
})

it('the list of a page of GraphQL is found however deep it is, and its fields by their names', async () => {
  const nodes = ['Build stops', 'No logs'].map((title, at) => ({
    node: {
      id: `I_${at}`,
      title,
      body: at === 0 ? 'It stops at 80 %' : '',
      createdAt: '2026-10-01T08:00:00Z',
      url: `https://github.example.com/x/${at}`,
      author: { login: 'ada' },
      labels: { nodes: [{ name: 'bug' }] },
    },
  }))
  for (const indent of [0, 2]) {
    const text = JSON.stringify({ data: { repository: { issues: { edges: nodes, pageInfo: {} } } } }, null, indent)
    const { items } = await readAll(text, 'page.json')
    expect(items).toMatchObject([
      {
        externalId: 'I_0',
        text: 'Build stops\n\nIt stops at 80 %',
        author: 'ada',
        link: 'https://github.example.com/x/0',
      },
      { externalId: 'I_1', text: 'No logs', at: new Date('2026-10-01T08:00:00Z') },
    ])
  }
})
