import { describe, expect, it } from 'vitest'
import { columnAt, kindOf } from './cells.ts'
import { guessMapping } from './columns.ts'
import { preview } from './preview.ts'
import { options, readAll } from './testing.ts'

const table = (header: string[], rows: string[][]) => [header, ...rows].map((row) => row.join(';')).join('\n')
const mappingOf = async (text: string, name = 'a.csv', more = {}) =>
  (await preview(Buffer.from(text), options(name, more))).mapping

const said = [
  'the scan of receipts fails',
  'exports cut off the last column',
  'syncing takes far too long',
  'a dark theme would be nice',
  'mileage is gone after a sync',
  'the price went up once more',
]
const mails = said.map((_, at) => `customer${at % 4}@example.com`)
const people = ['Ann Berg', 'Bo Lind', 'Cem Öz', 'Dee van Dyk', 'Eve O’Neil', 'Ann Berg']
const days = said.map((_, at) => `2026-10-0${at + 1}`)
const rows = (...columns: string[][]) => said.map((_, at) => columns.map((column) => column[at] ?? ''))

it('about the creator of a message are its author and customer', async () => {
  const text = table(
    ['id', 'body', 'creator_name', 'creator_company'],
    rows(['1', '2', '3', '4', '5', '6'], said, people, mails),
  )
  expect(await mappingOf(text)).toEqual({ id: 'id', text: 'body', author: 'creator_name', customer: 'creator_company' })
})

describe('columns with meaningless names', () => {
  it('are found by their content', async () => {
    const uuids = said.map((_, at) => `3f2504e0-4f89-11d3-9a0c-0305e82c330${at}`)
    const links = said.map((_, at) => `https://example.com/t/${at}`)
    const text = table(['A', 'B', 'C', 'D', 'E'], rows(uuids, days, mails, said, links))
    expect(await mappingOf(text)).toEqual({ text: 'D', id: 'A', date: 'B', author: 'C', link: 'E' })
  })

  it('are found without a header too', async () => {
    const text = rows(days, people, said)
      .map((row) => row.join(';'))
      .join('\n')
    expect(await mappingOf(text)).toEqual({ text: '3', date: '1', author: '2' })
  })

  it('are found in tab-separated text, where the first is the text only if it contains words', async () => {
    const numbered = rows(
      said.map((_, at) => String(at + 1)),
      said,
    )
    const lines = numbered.map((row) => row.join('\t')).join('\n')
    expect(await mappingOf(lines, 'a.tsv')).toEqual({ text: '2' })
    const first = rows(said, said).map((row) => row.join('\t'))
    expect(await mappingOf(first.join('\n'), 'a.tsv')).toEqual({ text: '1' })
  })
})

describe('the date', () => {
  it.each([
    ['as ISO', days],
    ['with slashes', said.map((_, at) => `${at + 1}/10/2026`)],
    ['with a month’s name', said.map((_, at) => `Nov ${at + 1}, 2026 4:05 PM`)],
    ['as RFC 2822', said.map((_, at) => `Tue, ${at + 1} Nov 2026 16:05:09 +0100`)],
    ['with dots', said.map((_, at) => `${at + 1}.10.2026`)],
  ])('is found by its cells: %s', async (_, cells) => {
    expect((await mappingOf(table(['Wann', 'Was'], rows(cells, said)))).date).toBe('Wann')
  })

  it('is found among digits only where the name indicates a time', async () => {
    const digits = said.map((_, at) => String(1790925249000 + at * 86_400_000))
    expect((await mappingOf(table(['Sent (unix millis)', 'Was'], rows(digits, said)))).date).toBe('Sent (unix millis)')
    expect((await mappingOf(table(['Konto', 'Was'], rows(digits, said)))).date).toBeUndefined()
  })

  it('is found among the days that spreadsheets count, where the name indicates a time and they have one', async () => {
    const of = async (cells: readonly string[]) =>
      (await preview(Buffer.from(['Completion time;Feedback', ...cells].join('\n')), options('a.csv'))).mapping.date
    expect(await of(['46296,334;The door squeaks', '46297,5;It squeaks again', '46298;Oil it'])).toBe('Completion time')
    expect(await of(['46296;The door squeaks', '46297;It squeaks again', '46298;Oil it'])).toBeUndefined()
  })

  it('is the earliest of several times', async () => {
    const text = table(['Closed on', 'Last reply', 'Opened', 'Was'], rows(days, days, days, said))
    expect((await mappingOf(text)).date).toBe('Opened')
    const submitted = table(['Opened', 'Submitted on', 'Was'], rows(days, days, said))
    expect((await mappingOf(submitted)).date).toBe('Submitted on')
  })

  it('is not a column of that name with other content, if another has dates', async () => {
    const text = table(['date', 'Wann', 'text'], rows(people, days, said))
    expect((await mappingOf(text)).date).toBe('Wann')
  })
})

describe('the id', () => {
  const keys = said.map((_, at) => `TB-${1200 + at * 7}`)
  it.each([
    ['Ticket number', keys, true],
    ['Case ID', keys, true],
    ['Ticket number', said.map((_, at) => String(at + 1)), true],
    ['Vorgang', said.map((_, at) => String(5001 + at)), true],
    ['Respondent', said.map((_, at) => String(118_000_000_009 - at)), true],
    // A column that counts the rows: the next file has the same numbers.
    ['#', said.map((_, at) => String(at + 1)), false],
    ['Zeile', said.map((_, at) => String(said.length - at)), false],
    ['Unnamed: 0', said.map((_, at) => String(at)), false],
    ['', said.map((_, at) => String(at)), false],
    ['', said.map((_, at) => String(at + 200)), false],
    ['index', said.map((_, at) => String(at + 200)), false],
    ['Laufend', said.map((_, at) => String(at + 1)), false],
    ['User ID', keys, false],
    ['Customer number', keys, false],
    ['Betrag', said.map((_, at) => String(at * 7 + 3)), false],
    ['Case ID', said.map((_, at) => `TB-${at % 3}`), false],
    ['id', said.map((_, at) => `TB-${at % 3}`), false],
    ['Case ID', said.map((_, at) => (at < 3 ? `TB-${at}` : '')), false],
  ])('in %s with %j: %j', async (name, cells, found) => {
    expect((await mappingOf(table([name, 'Was'], rows(cells, said)))).id).toBe(found ? name : undefined)
  })

  it('that repeats would lose rows: none is lost', async () => {
    const text = table(
      ['id', 'text'],
      rows(
        said.map((_, at) => String(at % 2)),
        said,
      ),
    )
    const { items } = await readAll(text)
    expect(new Set(items.map((item) => item.externalId)).size).toBe(said.length)
  })
})

describe('the author', () => {
  it('is an address rather than a name, and no column whose name rules it out', async () => {
    expect((await mappingOf(table(['X', 'Y', 'Z'], rows(people, mails, said)))).author).toBe('Y')
    const places = ['New York', 'San Juan', 'Los Angeles', 'Buenos Aires', 'Den Haag', 'Sankt Gallen']
    expect((await mappingOf(table(['Country name', 'text'], rows(places, said)))).author).toBeUndefined()
    const same = people.map(() => 'Sam Desk')
    expect((await mappingOf(table(['X', 'Z'], rows(same, said)))).author).toBeUndefined()
  })
})

describe('of several columns with one name', () => {
  const sparse = said.map((_, at) => (at % 2 === 0 ? '' : 'ok'))
  it.each([
    ['the first', [sparse, said], 'Comment (2)'],
    ['the second', [said, sparse], 'Comment'],
    ['neither', [said, said.toReversed()], 'Comment'],
  ])('the fuller one is suggested, where %s is sparse', async (_, [one = [], other = []], text) => {
    expect(await mappingOf(table(['Date', 'Comment', 'Comment'], rows(days, one, other)))).toEqual({
      text,
      date: 'Date',
    })
  })

  it('a name that ends with a number in brackets is its own', async () => {
    expect((await mappingOf(table(['Comment (2)', 'Note'], rows(sparse, said)))).text).toBe('Note')
  })
})

describe('the link', () => {
  const pictures = said.map((_, at) => `https://img.example.com/${at}.png?s=64`)
  const pages = said.map((_, at) => `https://example.com/t/${at}`)
  it.each([
    ['Reviewer', pictures],
    ['url', pictures],
    ['Review Image', pages],
    ['Avatar URL', pages],
  ])('is no picture: %s', async (name, links) => {
    expect((await mappingOf(table([name, 'Was'], rows(links, said)))).link).toBeUndefined()
    expect((await mappingOf(table([name, 'Page', 'Was'], rows(links, pages, said)))).link).toBe('Page')
  })
})

it.each([
  ['Note,Commentaire,Pays,Abonnement', { rating: '2', country: 'FR', plan: 'Pro' }],
  ['Nota,Comentário,País,Plano', { rating: '2', country: 'FR', plan: 'Pro' }],
  ['Note,Meinung,Land,Tarif', { rating: '2', country: 'FR', plan: 'Pro' }],
])('ratings, countries and plans are attributes in other languages: %s', async (header, attributes) => {
  const { items } = await readAll(`${header}\n2,La facture est illisible,FR,Pro\n4,Elle arrive en retard,FR,Pro`)
  expect(items[0]).toMatchObject({ text: 'La facture est illisible', attributes })
})

it('a note of words is the text', async () => {
  const { items } = await readAll('Author,Note\nAnn,The lawn is wet\nBo,It is wet again')
  expect(items[0]).toMatchObject({ text: 'The lawn is wet', author: 'Ann' })
})

it('a text of characters without a width is empty, and so is such an author', async () => {
  const { items, problems } = await readAll('id,author,text\n1,\u200b,fine\n2,Bo,\u200b\u200b\n3,Cy,\ufeff \u2060\n')
  expect(items.map(({ author, text }) => [author, text])).toEqual([[null, 'fine']])
  expect(problems).toEqual([3, 4].map((line) => ({ line, reason: 'The text is empty' })))
})

describe('the text', () => {
  it('is not a count that is named comments', async () => {
    const counts = said.map((_, at) => String(at))
    expect((await mappingOf(table(['comments', 'Was'], rows(counts, said)))).text).toBe('Was')
  })

  it('is the customer’s text, not our reply', async () => {
    const answers = said.map((text) => `Dear customer, thank you for writing that ${text}, we will look at it soon`)
    expect((await mappingOf(table(['Was', 'Developer reply'], rows(said, answers)))).text).toBe('Was')
  })

  it('is the column of sentences, not one of codes that is named message', async () => {
    const codes = said.map((_, at) => `E${at}`)
    const long = said.map((text) => `${text}, and that is why I write to you`)
    expect((await mappingOf(table(['message', 'Was'], rows(codes, long)))).text).toBe('Was')
  })

  it('is some column in a file without content', () => {
    expect(guessMapping([], [])).toEqual({ text: '1' })
    expect(guessMapping(['a'], [])).toEqual({ text: 'a' })
  })
})

describe('the title', () => {
  const csv =
    'head;text;by\nSlow;The sync takes minutes;A\nDark theme;;B\n;Only a text;C\nScan fails;Scan fails on my phone;D\n;;E'

  it('is put before the text, replaces a missing text, or is not repeated', async () => {
    const { texts, problems } = await readAll(csv, 'a.csv', { mapping: { text: 'text', title: 'head' } })
    expect(texts).toEqual(['Slow\n\nThe sync takes minutes', 'Dark theme', 'Only a text', 'Scan fails on my phone'])
    expect(problems).toEqual([{ line: 6, reason: 'The text is empty' }])
  })

  it('is part of the identity of a row without an id', async () => {
    const { items } = await readAll('head;text\nA;same\nB;same', 'a.csv', {
      header: true,
      mapping: { text: 'text', title: 'head' },
    })
    expect(new Set(items.map((item) => item.externalId.split('-')[0])).size).toBe(2)
  })
})

it('customer text stays unchanged: quotations in the middle and at the end', async () => {
  const text = 'It says\n> Error 500\n<blockquote>twice</blockquote>\nevery day\n> since Monday'
  expect((await readAll(`id,text\n1,"${text}"\n`)).texts).toEqual([text])
})

it('customer text stays unchanged: entities, tags, quotes', async () => {
  const text = 'id,text\n1,"5 &lt; 6 &amp; <b>bold</b> &#39;quoted&#39; ""so"""\n'
  expect((await readAll(text)).texts).toEqual([`5 &lt; 6 &amp; <b>bold</b> &#39;quoted&#39; "so"`])
})

describe('a cell', () => {
  it.each([
    ['42', 'number'],
    ['€3.50', 'number'],
    ['1775037600', 'number'],
    ['2026-10-01', 'date'],
    ['01.10.2026', 'date'],
    ['Nov 3, 2026', 'date'],
    ['https://example.com/a', 'link'],
    ['a@example.com', 'email'],
    ['TRUE', 'boolean'],
    ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'code'],
    ['TB-1042', 'code'],
    ['hello', 'text'],
    ['May 5 people came', 'text'],
  ])('%s is a %s', (cell, kind) => {
    expect(kindOf(cell)).toBe(kind)
  })

  it('decides the kind of its column where four in five agree', () => {
    const kind = (...cells: string[]) =>
      columnAt(
        cells.map((cell) => [cell]),
        0,
      ).kind
    expect(kind('1', '2', '3', '4', 'n/a')).toBe('number')
    expect(kind('1', '2', 'three', 'four', 'five')).toBe('mixed')
    expect(kind('', ' ')).toBeNull()
    expect(columnAt([['a b'], ['c'], ['c']], 0)).toMatchObject({ words: 4 / 3, distinct: 2 })
  })
})

it('is no id that several of few rows share, as the comments on one ticket do', async () => {
  const text = table(
    ['ticket_id', 'date', 'message'],
    [
      ['5', '2026-10-01', said[0] ?? ''],
      ['5', '2026-10-02', said[1] ?? ''],
      ['6', '2026-10-03', said[2] ?? ''],
    ],
  )
  expect(await mappingOf(text)).toEqual({ date: 'date', text: 'message' })
  expect((await readAll(text)).texts).toHaveLength(3)
})
