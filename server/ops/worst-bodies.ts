import { MAX_LIST_LENGTH, MAX_LIST_LINES, MAX_LISTED_CUSTOMERS } from '@groundswell/contract/customers.ts'

/** One request body: what it is made of, and its bytes. */
export type WorstBody = { what: string; body: Buffer }

/** Slightly fewer values than a JSON body may have (docs/decisions/0084-event-loop.md), so that it is not refused for their number. */
const VALUES = 99_900
/** Long enough for integers to be kept as text, which takes another way of parsing. */
const LONG = '12345678901234567890'

/**
 * JSON of about this many bytes, each in a form that costs a parser, a schema or a check of text the most, without more values than a body may have.
 */
function worstValues(bytes: number): Record<string, string> {
  const list = (item: string, values: number) => {
    const count = Math.min(Math.floor(VALUES / values), Math.floor((bytes - LONG.length - 8) / (item.length + 1)))
    return `[${LONG},${Array.from({ length: count }, () => item).join()}]`
  }
  // `"kkk12345":0,`
  const room = Math.max(1, Math.floor(bytes / VALUES) - 10)
  const names = Math.min(VALUES - 1, Math.floor((bytes - 60) / (room + 10)))
  const keys = Array.from({ length: names }, (_, at) => `"${'k'.repeat(room)}${at}":0`)
  const depth = Math.min(VALUES, Math.floor(bytes / 2) - 8)
  const text = bytes - 8
  return {
    'one text': JSON.stringify('a'.repeat(text)),
    'one text of blanks': JSON.stringify(`${' '.repeat(text)}a`),
    'one text of digits': JSON.stringify('1'.repeat(text)),
    'one text of escapes': `"${'\\u0301'.repeat(Math.floor(text / 6))}"`,
    'one text of emoji': JSON.stringify('👩‍💻'.repeat(Math.floor(text / 11))),
    'lists in lists': `${'['.repeat(depth)}${']'.repeat(depth)}`,
    'many objects': list('{}', 2),
    'many objects that reach for a prototype': list('{"constructor":0}', 2),
    'many objects with a key': list('{"a":"b"}', 2),
    'many texts': list('"a"', 1),
    'many numbers': list('0', 1),
    'many keys': `{"${LONG}":${LONG},${keys.join()}}`,
  }
}

/**
 * The worst bodies of a call that takes JSON up to this many bytes: the whole body, and each field in turn. `right`: a valid body;
 * the other fields stay as they are in it.
 */
export function* worstBodies(limit: number, right: Readonly<Record<string, unknown>>): Generator<WorstBody> {
  for (const [what, value] of Object.entries(worstValues(limit))) {
    yield { what, body: Buffer.from(value) }
    yield { what: `${what}, cut off`, body: Buffer.from(value.slice(0, -1)) }
  }
  for (const field of Object.keys(right)) {
    const others = Object.entries(right).filter(([name]) => name !== field)
    const rest = others.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join('')
    const room = limit - Buffer.byteLength(rest) - field.length - 8
    for (const [what, value] of Object.entries(worstValues(room))) {
      yield { what: `${field}: ${what}`, body: Buffer.from(`{${JSON.stringify(field)}:${value}${rest}}`) }
    }
  }
}

/** Lists of customers, as its call takes them: as many lines, columns or characters as it reads. */
export function* worstLists(): Generator<WorstBody> {
  const filled = (head: string, line: string | ((at: number) => string), lines = MAX_LIST_LINES + 10) => {
    const count =
      typeof line === 'string' ? Math.min(lines, Math.floor((MAX_LIST_LENGTH - head.length) / line.length)) : lines
    return head + Array.from({ length: count }, (_, at) => (typeof line === 'string' ? line : line(at))).join('')
  }
  const attributes = Array.from({ length: 10 }, (_, at) => `a${at}`)
  const lists: Record<string, string> = {
    'short invalid lines': filled('domain,plan\n', 'x\n'),
    'more short invalid lines than it reads': filled('domain,plan\n', 'x\n', MAX_LIST_LENGTH),
    'empty lines': filled('domain\n', '\n', MAX_LIST_LENGTH),
    'long invalid lines': filled('domain,plan\n', `${'x y '.repeat(9)}\n`),
    'as many customers as it stores': filled(
      `domain,name,plan,revenue,region,${attributes.join()}\n`,
      (at) =>
        `customer-${at}.example,Customer ${at},Enterprise,"1,${at % 999}.50",EMEA,${attributes.map((name) => `${name} ${at % 97}`).join()}\n`,
      MAX_LISTED_CUSTOMERS,
    ),
    'the same customer on every line': filled('domain,name\n', 'acme.example,Acme\n'),
    'one quoted cell': `domain\n"${'x'.repeat(MAX_LIST_LENGTH - 20)}"`,
    'records without end': filled('domain,name\n', '"a\nb",', MAX_LIST_LENGTH),
    'one name of combining signs': '\u0301'.repeat(MAX_LIST_LENGTH),
    'one name of capitals': 'aB'.repeat(MAX_LIST_LENGTH / 2),
    'a quote that never ends': `domain\n"${'x\n'.repeat(MAX_LIST_LENGTH / 2 - 20)}`,
    'quotes alone': '"'.repeat(MAX_LIST_LENGTH),
    'one line of many columns': `domain${',a'.repeat(MAX_LIST_LENGTH / 2 - 10)}`,
    'lines of many cells': filled(`domain${',a'.repeat(900)}\n`, `acme.example${',a'.repeat(900)}\n`),
    'names without end': filled('name\n', (at) => `${'a'.repeat(150)}${at}\n`, MAX_LISTED_CUSTOMERS),
  }
  for (const [what, text] of Object.entries(lists)) {
    yield { what, body: Buffer.from(JSON.stringify({ text, dry_run: false })) }
  }
  const escaped = `domain\n${'x\n'.repeat(MAX_LIST_LENGTH / 2 - 10)}`.replaceAll('x', '\\u0078').replaceAll('\n', '\\n')
  yield { what: 'short invalid lines, escaped', body: Buffer.from(`{"text":"${escaped}"}`) }
}

/** Messages as programs send them: as many, with as many attributes and characters, as one call takes. */
export function* worstMessages(limit: number): Generator<WorstBody> {
  const items = (count: number, item: (at: number) => object) => {
    const body = JSON.stringify({ items: Array.from({ length: count }, (_, at) => item(at)) })
    return Buffer.from(body)
  }
  const attributes = (length: number) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`attribute ${at}`, 'v'.repeat(length)]))
  const each = Math.floor(limit / 1_000) - 200
  const sentence = 'The export of large reports stops after a thousand rows and nobody is told why. '
  const text = (at: number, length: number) =>
    `${at} ${sentence.repeat(Math.ceil(length / sentence.length))}`.slice(0, length)
  yield {
    what: '1,000 with 50 attributes',
    body: items(1_000, (at) => ({ id: at, text: text(at, 500), attributes: attributes(Math.floor(each / 50) - 40) })),
  }
  yield {
    what: '1,000 long ones',
    body: items(1_000, (at) => ({ id: at, text: text(at, each), author: `a${at}@example.com` })),
  }
  yield {
    what: '1,000 of blanks and signs',
    body: items(1_000, (at) => ({ id: at, text: `${at}${' \n>'.repeat(Math.floor(each / 4))}` })),
  }
  yield { what: '1,000 of one word', body: items(1_000, (at) => ({ id: at, text: `${at}${'a'.repeat(each - 50)}` })) }
  yield {
    what: 'as many as are too long',
    body: items(Math.floor(limit / 100_100), (at) => ({ id: at, text: text(at, 100_001) })),
  }
  yield { what: 'the largest', body: items(Math.floor(limit / 100_100), (at) => ({ id: at, text: text(at, 100_000) })) }
  yield { what: '30,000 without a text', body: items(30_000, (at) => ({ id: at, date: 'x' })) }
}

/** Files of this many bytes, each with the name by which it is read. */
export function* worstFiles(bytes: number): Generator<WorstBody & { name: string }> {
  const filled = (head: string, line: string) => {
    const lines = Math.max(1, Math.floor((bytes - head.length) / Buffer.byteLength(line)))
    return Buffer.concat([Buffer.from(head), Buffer.alloc(lines * Buffer.byteLength(line), line)]).subarray(0, bytes)
  }
  const files: Record<string, [string, Buffer]> = {
    'short lines': ['a.csv', filled('text\n', 'x\n')],
    'short lines of text': ['a.txt', filled('', 'x\n')],
    'many columns': ['a.csv', filled('', 'a,')],
    'lines of many columns': ['a.csv', filled(`${'a,'.repeat(900)}\n`, `${'a,'.repeat(900)}\n`)],
    'records without end': ['a.csv', filled('text,date\n', '"a\nb",')],
    'one name of combining signs': ['a.csv', filled('', '\u0301')],
    'one name of capitals': ['a.csv', filled('', 'aB')],
    quotes: ['a.csv', filled('text\n', '"')],
    'one line': ['a.csv', filled('text\n', 'x')],
    blanks: ['a.csv', filled('text\n', ' ')],
    dates: ['a.csv', filled('text,date,author\n', 'x,01/02/2024 10:00 CST,a@b.example\n')],
    'dates that are none': ['a.csv', filled('text,date\n', 'x,on the first of never at noon\n')],
    objects: ['a.jsonl', filled('', '{"text":"x"}\n')],
    'empty objects': ['a.jsonl', filled('', '{}\n')],
    'broken objects': ['a.jsonl', filled('', '{\n')],
    'a list of objects': ['a.json', filled('[', '{"text":"x"},')],
    'lists in lists': ['a.json', filled('', '[')],
    'objects in objects': ['a.json', filled('', '{"a":')],
    sentences: ['a.csv', filled('text\n', 'The export of large reports stops after a thousand rows.\n')],
    tabs: ['a.txt', filled('', 'a\tb\tc\n')],
    'bytes that are no text': ['a.csv', filled('text\n', '\u0085\u00e9\n')],
  }
  for (const [what, [name, body]] of Object.entries(files)) yield { what, name, body }
}
