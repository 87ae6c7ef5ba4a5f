// Reads made-up files of many rows and writes docs/benchmarks/files.md.   npm run bench:files
//   --make [--rows=1000000]   writes the files to the folder for temporary files
//   --read=csv|xlsx|ods       reads one of them three times: in a process of its own, so that its memory is the reader's alone
//   --write                   writes the page and removes the files
import { createReadStream, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { crc32, createDeflateRaw } from 'node:zlib'
import { read } from './read.ts'

const MIB = 1024 * 1024
const PAGE = new URL('../../docs/benchmarks/files.md', import.meta.url)
const FOLDER = path.join(tmpdir(), 'groundswell-files')
const READS = 3
const { values } = parseArgs({
  options: {
    make: { type: 'boolean' },
    rows: { type: 'string', default: '1000000' },
    read: { type: 'string' },
    write: { type: 'boolean' },
  },
})

const SUBJECTS = ['The export', 'Search', 'The invoice', 'A reminder', 'The mobile app', 'Sign-in']
const PROBLEMS = [
  'is slow on large reports',
  'shows yesterday’s numbers',
  'fails with an error',
  'forgets what I chose',
]
const messageOf = (row: number) =>
  `${SUBJECTS[row % SUBJECTS.length]} ${PROBLEMS[(row * 7) % PROBLEMS.length]}, for the ${row}th time & counting`
const day = (row: number) => new Date(Date.UTC(2026, 0, 1) + (row % 365) * 86_400_000).toISOString().slice(0, 10)

/** Pieces of a text that repeats for each row. */
function* pieces(rows: number, begin: string, of: (row: number) => string, end: string): Generator<string> {
  yield begin
  for (let from = 0; from < rows; from += 1000) {
    yield Array.from({ length: Math.min(1000, rows - from) }, (_, at) => of(from + at)).join('')
  }
  yield end
}

const xml = (text: string) => text.replaceAll('&', '&amp;')
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (...targets: [type: string, target: string][]) =>
  `${HEAD}<Relationships>${targets.map(([type, target], at) => `<Relationship Id="r${at}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`

/** The parts of each kind of file. A workbook refers to its texts by number, as Excel's do. */
const parts = {
  csv: (rows: number) => ({
    '': pieces(rows, 'id,date,message,rating\n', (row) => `m${row},${day(row)},"${messageOf(row)}",${row % 6}\n`, ''),
  }),
  xlsx: (rows: number) => ({
    '[Content_Types].xml': [`${HEAD}<Types/>`],
    '_rels/.rels': [relations(['officeDocument', 'xl/workbook.xml'])],
    'xl/workbook.xml': [
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="r0"/></sheets></workbook>`,
    ],
    'xl/_rels/workbook.xml.rels': [
      relations(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', 'styles.xml'],
        ['sharedStrings', 'sharedStrings.xml'],
      ),
    ],
    'xl/styles.xml': [`${HEAD}<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`],
    'xl/sharedStrings.xml': pieces(
      rows,
      `${HEAD}<sst xmlns="${MAIN}">`,
      (row) => `<si><t>${xml(messageOf(row))}</t></si>`,
      '</sst>',
    ),
    'xl/worksheets/sheet1.xml': pieces(
      rows,
      `${HEAD}<worksheet xmlns="${MAIN}"><sheetData><row r="1">${['id', 'date', 'message', 'rating'].map((name, at) => `<c r="${'ABCD'[at]}1" t="str"><v>${name}</v></c>`).join('')}</row>`,
      (row) => {
        const at = row + 2
        return `<row r="${at}"><c r="A${at}" t="str"><v>m${row}</v></c><c r="B${at}" s="1"><v>${46_023 + (row % 365)}</v></c><c r="C${at}" t="s"><v>${row}</v></c><c r="D${at}"><v>${row % 6}</v></c></row>`
      },
      '</sheetData></worksheet>',
    ),
  }),
  ods: (rows: number) => {
    const cell = (text: string) =>
      `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
    return {
      mimetype: ['application/vnd.oasis.opendocument.spreadsheet'],
      'content.xml': pieces(
        rows,
        `${HEAD}<office:document-content><office:body><office:spreadsheet><table:table table:name="A"><table:table-row>${['id', 'date', 'message', 'rating'].map(cell).join('')}</table:table-row>`,
        (row) =>
          `<table:table-row>${cell(`m${row}`)}<table:table-cell office:value-type="date" office:date-value="${day(row)}"><text:p>${day(row)}</text:p></table:table-cell>${cell(xml(messageOf(row)))}<table:table-cell office:value-type="float" office:value="${row % 6}"><text:p>${row % 6}</text:p></table:table-cell></table:table-row>`,
        '</table:table></office:spreadsheet></office:body></office:document-content>',
      ),
    }
  },
}

/** Writes a file, piece by piece. */
async function write(file: string, content: Record<string, Iterable<string>>): Promise<void> {
  const target = await open(file, 'w')
  try {
    const plain = content['']
    if (plain) for (const piece of plain) await target.write(piece)
    else await writeZip(target, content)
  } finally {
    await target.close()
  }
}

async function writeZip(target: Awaited<ReturnType<typeof open>>, content: Record<string, Iterable<string>>) {
  const list: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(content)) {
    const deflate = createDeflateRaw({ level: 6 })
    const header = localHeader(name)
    await target.write(header, 0, header.byteLength, at)
    let [sum, size, packed] = [0, 0, 0]
    const start = at + header.byteLength
    const drained = (async () => {
      for await (const chunk of deflate as AsyncIterable<Buffer>) {
        await target.write(chunk, 0, chunk.byteLength, start + packed)
        packed += chunk.byteLength
      }
    })()
    for (const piece of text) {
      const bytes = Buffer.from(piece)
      sum = crc32(bytes, sum)
      size += bytes.byteLength
      if (!deflate.write(bytes)) await new Promise((resume) => deflate.once('drain', resume))
    }
    deflate.end()
    await Promise.all([finished(deflate), drained])
    for (const [value, place] of [
      [sum, 14],
      [packed, 18],
      [size, 22],
    ] as const) {
      header.writeUInt32LE(value, place)
    }
    await target.write(header, 0, header.byteLength, at)
    const entry = Buffer.alloc(46)
    entry.write('PK\u0001\u0002', 'latin1')
    header.copy(entry, 6, 4, 30)
    entry.writeUInt32LE(at, 42)
    list.push(entry, Buffer.from(name))
    at = start + packed
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(list.length / 2, 8)
  end.writeUInt16LE(list.length / 2, 10)
  end.writeUInt32LE(directory.byteLength, 12)
  end.writeUInt32LE(at, 16)
  await target.write(Buffer.concat([directory, end]), 0, directory.byteLength + 22, at)
}

function localHeader(name: string): Buffer {
  const header = Buffer.alloc(30)
  header.write('PK\u0003\u0004', 'latin1')
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(8, 8)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name)])
}

const load = () => loadavg()[0]?.toFixed(1)
const fileOf = (kind: string) => path.join(FOLDER, `feedback.${kind}`)
const noteOf = (name: string) => path.join(FOLDER, `${name}.txt`)

async function make(rows: number): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER)
  for (const [kind, content] of Object.entries(parts)) await write(fileOf(kind), content(rows))
  const machine = `${cpus().length} cores of ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`
  writeFileSync(
    noteOf('head'),
    `# Files

Written by \`npm run bench:files\`: the reader of files takes ${rows.toLocaleString('en-US')} made-up rows (id, date, message of about 70 characters, rating) from a
file on disk, three times, in a process of its own. Nothing is stored or grouped.
${new Date().toISOString().slice(0, 10)}, ${machine}, load at the start ${load()}; load at the end `,
  )
}

async function readThrice(kind: string): Promise<void> {
  const file = fileOf(kind)
  const { size } = statSync(file)
  const stored = { size, open: (start = 0) => createReadStream(file, { start, highWaterMark: 256 * 1024 }) }
  const options = { name: path.basename(file), format: null, header: null, mapping: null }
  const seconds: number[] = []
  let rows = 0
  for (let time = 0; time < READS; time += 1) {
    rows = 0
    const from = performance.now()
    for await (const { items } of read(stored, options, new Date())) rows += items.length
    seconds.push((performance.now() - from) / 1000)
  }
  const fastest = Math.min(...seconds)
  const cells = [
    `.${kind}`,
    (size / MIB).toFixed(1),
    `${fastest.toFixed(1)} to ${Math.max(...seconds).toFixed(1)}`,
    `${Math.round(rows / fastest / 1000)},000`,
    (process.resourceUsage().maxRSS / 1024).toFixed(0),
  ]
  writeFileSync(noteOf(kind), `| ${cells.join(' | ')} |\n`)
  process.stderr.write(`${rows} rows: ${cells.join(', ')}\n`)
}

function writePage(): void {
  const note = (name: string) => readFileSync(noteOf(name), 'utf8')
  const text = `${note('head')}${load()}.

| file | MiB | seconds | rows a second, at best | peak memory of the process, MiB |
| --- | ---: | ---: | ---: | ---: |
${Object.keys(parts).map(note).join('')}
Node itself takes about 45 MiB. The texts that the cells of an Excel workbook share are in memory while its rows are read; all else is streamed. An .ods
file is read twice: once for its sheets.
`
  rmSync(FOLDER, { recursive: true })
  process.stdout.write(text)
  writeFileSync(PAGE, text)
}

if (values.make) await make(Number(values.rows))
if (values.read !== undefined) await readThrice(values.read)
if (values.write) writePage()
