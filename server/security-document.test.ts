import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const NAMED = /^`([^`]+\.test\.tsx?)` › (.+)$/

type Row = { item: string; tests: { file: string; title: string }[] }

/** The rows of the table under "Holds", with the tests that each names. */
async function rowsThatHold(): Promise<Row[]> {
  const document = await readFile(path.join(root, 'docs/security.md'), 'utf8')
  const [, table = ''] = /### Holds\n([^#]+)/.exec(document) ?? []
  const lines = table.split('\n').filter((line) => /^\| \d/.test(line))
  return lines.map((line) => {
    const [item = '', , named = ''] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    const tests = named.split('<br>').map((text) => {
      const [, file = '', title = ''] = NAMED.exec(text.trim()) ?? []
      return { file, title }
    })
    return { item, tests }
  })
}

/** The items that each test of a file says it proves, by its title. Tests are told by how the formatter indents them. */
function provenIn(source: string): Map<string, Set<string>> {
  const lines = source.split('\n')
  const indentOf = (line: string) => line.length - line.trimStart().length
  const proven = new Map<string, Set<string>>()
  for (const [index, line] of lines.entries()) {
    const [, marks] = /^\s*proves\((.+)\)$/.exec(line) ?? []
    if (marks === undefined) continue
    let begin = index - 1
    while (!(/^\s*(it|test)\b/.test(lines[begin] ?? '') && indentOf(lines[begin] ?? '') < indentOf(line))) begin -= 1
    // Of a table of cases the title comes after the cases.
    const head = lines.slice(begin, index).join('\n')
    if (/^\s*(it|test)\.(skip|todo|fails|only|runIf)/.test(head))
      throw new Error(`a test that proves must run: ${head}`)
    const titles = [...head.matchAll(/(?:\(|^\s*)'([^'\n]+)',(?= async| \(|\n\s*(?:async )?\()/gm)]
    const title = titles.at(-1)?.[1] ?? ''
    const items = proven.get(title) ?? new Set()
    for (const [, item = ''] of marks.matchAll(/'([\d.]+)'/g)) items.add(item)
    proven.set(title, items)
  }
  return proven
}

async function testFiles(): Promise<string[]> {
  const names = await readdir(path.join(root, 'server'), { recursive: true })
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.posix.join('server', name.replaceAll('\\', '/')))
}

describe('docs/security.md', () => {
  test('names for every item that holds the tests that say, in their own bodies, that they prove it; and all of those', async () => {
    const rows = await rowsThatHold()
    expect(rows.length).toBeGreaterThan(30)
    const named = rows.flatMap(({ item, tests }) => tests.map(({ file, title }) => `${item}: ${file} › ${title}`))
    const saying: string[] = []
    for (const file of await testFiles()) {
      const source = await readFile(path.join(root, file), 'utf8')
      if (!source.includes(`platform/proves.ts'`)) continue
      for (const [title, items] of provenIn(source))
        for (const item of items) saying.push(`${item}: ${file} › ${title}`)
    }
    expect(named.toSorted()).toEqual(saying.toSorted())
  })

  test('has each item once, in one of its tables', async () => {
    const document = await readFile(path.join(root, 'docs/security.md'), 'utf8')
    const items = [...document.matchAll(/^\| (\d\.\d+\.\d+(?:, \d\.\d+\.\d+)*) +\|/gm)].flatMap(([, text = '']) =>
      text.split(', '),
    )
    expect(new Set(items).size).toBe(items.length)
  })
})

describe('a test that proves an item', () => {
  const body = (more: string) => `  it${more}('does what it says', async () => {\n    proves('6.2.1', '6.2.2')\n  })\n`

  test('is told by its title, also when its cases come first', () => {
    const each = `  it.each([\n    ['a', 'b'],\n  ])('of %s', (one) => {\n    proves('7.1.1')\n  })\n`
    const wide = `  it.each(list)(\n    '%s is wide',\n    async (one) => {\n      proves('8.1.1')\n    },\n  )\n`
    const found = provenIn(`describe('x', () => {\n${body('')}\n${each}\n${wide}})\n`)
    expect([...found].map(([title, items]) => [title, ...items])).toEqual([
      ['does what it says', '6.2.1', '6.2.2'],
      ['of %s', '7.1.1'],
      ['%s is wide', '8.1.1'],
    ])
  })

  test('must run', () => {
    expect(() => provenIn(body('.skip'))).toThrow('must run')
  })
})
