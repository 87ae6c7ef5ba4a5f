import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { provenIn } from './proving-tests.ts'

const root = path.resolve(import.meta.dirname, '..')
const TABLES = 'docs/security-asvs.md'
const STATES = ['holds', 'documented', 'partly', 'not met', 'not applicable']
const IMPORTS_PROVES = /^import \{ proves \} from '[^']*\/proves\.ts'$/m
const NAMED = /^`([^`]+\.test\.tsx?)` › (.+)$/

/** The requirements of level 1 and 2 in each chapter of ASVS 5.0.0; `1.1.1-2` stands for 1.1.1 and 1.1.2. */
const SECTIONS: Readonly<Record<string, string>> = {
  V1: '1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2',
  V2: '2.1.1-3 2.2.1-3 2.3.1-4 2.4.1',
  V3: '3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5 3.7.1-2',
  V4: '4.1.1-3 4.2.1 4.3.1-2 4.4.1-4',
  V5: '5.1.1 5.2.1-3 5.3.1-2 5.4.1-3',
  V6: '6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3 6.8.1-4',
  V7: '7.1.1-3 7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2',
  V8: '8.1.1-2 8.2.1-3 8.3.1 8.4.1',
  V9: '9.1.1-3 9.2.1-4',
  V10: '10.1.1-2 10.2.1-2 10.3.1-4 10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3',
  V11: '11.1.1-2 11.2.1-3 11.3.1-3 11.4.1-4 11.5.1 11.6.1',
  V12: '12.1.1-3 12.2.1-2 12.3.1-4',
  V13: '13.1.1 13.2.1-5 13.3.1-2 13.4.1-5',
  V14: '14.1.1-2 14.2.1-4 14.3.1-3',
  V15: '15.1.1-3 15.2.1-3 15.3.1-7',
  V16: '16.1.1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3',
  V17: '17.1.1 17.2.1-4 17.3.1-2',
}

type Row = { chapter: string; items: string[]; state: string; text: string; tests: string[] }

/** The rows of all tables, each under the heading of its chapter. */
async function rowsOfDocument(): Promise<Row[]> {
  const document = await readFile(path.join(root, TABLES), 'utf8')
  let chapter = ''
  const rows: Row[] = []
  for (const line of document.split('\n')) {
    chapter = /^## (V\d+)/.exec(line)?.[1] ?? chapter
    if (!/^\| \d/.test(line)) continue
    const [items = '', state = '', text = '', named = ''] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    const tests = named === '' ? [] : named.split('<br>').map((test) => test.trim())
    rows.push({ chapter, items: items.split(', '), state, text, tests })
  }
  return rows
}

function itemsOf(sections: string): string[] {
  return sections.split(' ').flatMap((section) => {
    const [, prefix = '', first = '', last = first] = /^(\d+\.\d+)\.(\d+)(?:-(\d+))?$/.exec(section) ?? []
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${prefix}.${Number(first) + at}`)
  })
}

/** Every test file that `npm test` runs, including the browser's; long tests are run by hand and prove nothing here. */
async function testFiles(): Promise<string[]> {
  const folders = ['contract', 'engine', 'connectors', 'server', 'scripts', 'web', 'e2e']
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(path.join(root, folder), { recursive: true })
      return names.map((name) => path.posix.join(folder, name.replaceAll('\\', '/')))
    }),
  )
  const isRun = (file: string) =>
    /\.test\.tsx?$/.test(file) &&
    !/\.long\.test|(^|\/)(node_modules|dist)\//.test(file) &&
    !file.includes('proving-tests')
  return found.flat().filter((file) => isRun(file) && file !== 'server/security-document.test.ts')
}

/** The anchors of a document's headings, as GitHub generates them. */
async function anchorsOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('docs/security-asvs.md', () => {
  test('names, for every requirement that holds, exactly the tests that say in their own bodies that they prove it', async () => {
    const rows = await rowsOfDocument()
    const named = rows.flatMap(({ items, tests }) =>
      tests.map((text) => {
        const [, file = '', title = ''] = NAMED.exec(text) ?? []
        return `${items.join(', ')}: ${file} › ${title}`
      }),
    )
    const proven: string[] = []
    for (const file of await testFiles()) {
      const source = await readFile(path.join(root, file), 'utf8')
      if (!IMPORTS_PROVES.test(source)) continue
      for (const [title, items] of provenIn(source, file))
        for (const item of items) proven.push(`${item}: ${file} › ${title}`)
    }
    expect(named.toSorted()).toEqual(proven.toSorted())
  })

  test('has a known state in every row, and tests where and only where the requirement holds', async () => {
    for (const { items, state, text, tests } of await rowsOfDocument()) {
      const known = STATES.includes(state) && text !== '' && (state !== 'holds' || items.length === 1)
      expect([items, known, tests.length > 0]).toEqual([items, true, state === 'holds'])
    }
  })

  test.each(Object.entries(SECTIONS))('has each requirement of %s of level 1 and 2 once', async (chapter, sections) => {
    const rows = (await rowsOfDocument()).filter((row) => row.chapter === chapter)
    expect(rows.flatMap(({ items }) => items).toSorted()).toEqual(itemsOf(sections).toSorted())
  })

  test('links, where something is documented, to a section that exists', async () => {
    for (const { items, state, text } of await rowsOfDocument()) {
      const links = [...text.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)]
      expect([items, state !== 'documented' || links.length > 0]).toEqual([items, true])
      for (const [, name = '', anchor] of links) {
        const anchors = await anchorsOf(path.join(root, 'docs', name))
        expect([items, name, anchor === undefined || anchors.includes(anchor)]).toEqual([items, name, true])
      }
    }
  })
})

describe('a test that proves a requirement', () => {
  const marked = (head: string, body = '') => `${head}, async () => {\n proves('6.2.1', '6.2.2')\n${body} })\n`

  test('is known by its title, also when its cases come first', () => {
    const source = `
      describe('x', () => {
        ${marked(`it('does what it says'`)}
        it.each([['a', 'b']])('of %s', (one: string) => { proves('7.1.1') })
        it.each(list)(\n'%s is wide',\nasync (one) => {\nproves('8.1.1')\n},\n)
      })`
    expect([...provenIn(source, 'a.test.ts')].map(([title, items]) => [title, ...items])).toEqual([
      ['does what it says', '6.2.1', '6.2.2'],
      ['of %s', '7.1.1'],
      ['%s is wide', '8.1.1'],
    ])
  })

  test.each([
    `it.skip('t'`,
    `it.todo('t'`,
    `it.fails('t'`,
    `it.only('t'`,
    `it.runIf(false)('t'`,
    `it.skipIf(true)('t'`,
    `it.skip.each([1])('t'`,
    `it('t', { skip: true }`,
    `const other = it.extend({}); other('t'`,
    `describe('t'`,
  ])('must be one that runs: %s', (head) => {
    expect(() => provenIn(marked(head), 'a.test.ts')).toThrow('a.test.ts')
  })

  test('must be in a group that runs', () => {
    expect(() => provenIn(`describe.skip('x', () => { ${marked(`it('t'`)} })`, 'a.test.ts')).toThrow('a.test.ts')
  })

  test('says so before anything else, so that nothing can leave it out', () => {
    const late = `it('t', () => { if (slow) return\n proves('6.2.1') })`
    expect(() => provenIn(late, 'a.test.ts')).toThrow('a.test.ts')
    expect(() => provenIn(marked(`it('t'`, 'context.skip()'), 'a.test.ts')).toThrow('a.test.ts')
  })

  test('does not count as a comment or a text', () => {
    const source = `// ${marked(`it('t'`).replaceAll('\n', ' ')}\n/* ${marked(`it('u'`)} */\nconst text = \`${marked(`it('v'`)}\``
    expect(provenIn(source, 'a.test.ts').size).toBe(0)
  })
})
