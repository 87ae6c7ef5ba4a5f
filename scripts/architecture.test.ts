import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const text = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8')

/** The lines of one section, without its heading. */
function section(title: string): string {
  const [, body] = text.split(`\n## ${title}\n`)
  if (body === undefined) throw new Error(`docs/architecture.md has no section "${title}"`)
  return body.split('\n## ')[0] ?? ''
}

/** Nothing for a file that is gone by now: the tests of the linter, which run beside these, write some and remove them. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

const codeIn = (markdown: string) => [...markdown.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
const isTest = (name: string) => /(\.test\.tsx?|\/?testing\.ts)$/.test(name)

/** The contents of a folder: its folders with a trailing slash, and its code files except tests. */
function modulesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || (entry.name.endsWith('.ts') && !isTest(entry.name)))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .filter((name) => name !== 'node_modules/')
    .sort()
}

const foldersIn = (folder: string) => modulesIn(folder).filter((name) => name.endsWith('/'))

/** The rows of the table of features: the noun, where it is, and which features its server part imports. */
const features = section('Features')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [noun = '', , places = '', imports = ''] = line
      .slice(1)
      .split('|')
      .map((cell) => cell.trim())
    const list = (cell: string) => cell.split(', ').filter((word) => word !== '')
    return { noun: noun.replaceAll('`', ''), places: list(places), imports: list(imports) }
  })

/** The modules that the list names for a folder. */
function listedIn(folder: string): string[] {
  const item = section('Modules')
    .split(/^- /m)
    .find((part) => part.startsWith(`\`${folder}/\``))
  return codeIn(item ?? '')
    .filter((code) => code !== `${folder}/`)
    .sort()
}

test.each(['server', 'web'])('the table lists the features of %s, and no other', (place) => {
  const listed = features.filter(({ places }) => places.includes(place)).map(({ noun }) => `${noun}/`)
  expect(listed.sort()).toEqual(foldersIn(`${place}/features`))
})

test.each(features.filter(({ places }) => places.includes('server')).map(({ noun, imports }) => [noun, imports]))(
  'the table names the features that server/features/%s imports',
  (noun, imports) => {
    const folder = path.join(root, 'server/features', String(noun))
    const used = new Set<string>()
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || isTest(name)) continue
      const source = readIfThere(path.join(folder, name))
      for (const [, specifier = ''] of source.matchAll(/from '(\.[^']+)'/g)) {
        const target = path.relative(folder, path.resolve(folder, path.dirname(name), specifier)).split(path.sep)
        if (target[0] === '..' && target[1] !== '..' && target[1]) used.add(target[1])
      }
    }
    expect(imports).toEqual([...used].sort())
  },
)

test.each(['server/platform', 'engine', 'connectors'])('the list names the modules of %s, and no other', (folder) => {
  const files = folder === 'engine' ? ['index.ts'] : modulesIn(folder).filter((name) => name.endsWith('.ts'))
  expect(listedIn(folder)).toEqual([...foldersIn(folder), ...files].sort())
})

test('every path and every link on the page exists', () => {
  const top = new Set(readdirSync(root))
  const paths = codeIn(text)
    .filter((code) => code.includes('/') && top.has(code.split('/')[0] ?? ''))
    // A pattern, such as `contract/<noun>.ts`, stands for the folder that it begins with.
    .map((code) => (/[<*]/.test(code) ? code.slice(0, code.search(/[<*]/)) : code))
    .map((code) => (code.endsWith('/') || path.extname(code) !== '' ? code : path.dirname(code)))
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target = '']) => path.join('docs', target))
  expect(paths.length).toBeGreaterThan(40)
  expect(links.length).toBeGreaterThan(10)
  expect([...paths, ...links].filter((one) => !existsSync(path.join(root, one)))).toEqual([])
})
