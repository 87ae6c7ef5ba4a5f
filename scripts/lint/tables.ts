import path from 'node:path'
import { tableOwners } from '@groundswell/server/tables.ts'
import { exempt, unconverted } from './table-exceptions.ts'
import { tableUses } from './table-uses.ts'

/**
 * Two lint rules (docs/decisions/0026-tables-have-owners.md): SQL occurs only in store files, and only the folder that owns a
 * table (server/tables.ts) names it in SQL.
 */
const root = path.resolve(import.meta.dirname, '../..')
const tables: ReadonlySet<string> = new Set(Object.keys(tableOwners))

/** `store.ts`, `<subject>-store.ts`, and the folders that run the database and the queue. */
const store = /(^|[/-])store\.ts$|^server\/platform\/(db|queue)\//

const isExempt = (file: string) => exempt.some(({ files }) => files.test(file))

/** Why this file must not contain SQL, or null. */
export function misplacedSql(file: string): string | null {
  if (store.test(file) || isExempt(file) || unconverted.misplaced.includes(file)) return null
  return 'SQL stands in store files only: store.ts or <subject>-store.ts'
}

/** Tables of other owners that SQL in this file names. */
export function foreignTables(file: string, text: string): { table: string; writes: boolean }[] {
  if (isExempt(file)) return []
  return tableUses(text, tables).filter(({ table }) => {
    const owner = tableOwners[table] ?? ''
    return !file.startsWith(`${owner}/`)
  })
}

/** Why this SQL violates the ownership of its tables, one reason per table. */
export function trespasses(file: string, text: string): string[] {
  const listed = unconverted.foreign[file] ?? []
  return foreignTables(file, text)
    .filter(({ table }) => !listed.includes(table))
    .map(({ table, writes }) => {
      const instead = writes ? 'call a function of its store' : 'join a fragment or call a function that it exports'
      return `${table} belongs to ${tableOwners[table]}: ${instead} (server/tables.ts)`
    })
}

type Node = { type: string }
type Quasi = { value: { cooked?: string | null; raw: string } }
type TemplateNode = Node & { quasis: Quasi[] }
type TaggedNode = Node & { tag: Node & { name?: string }; quasi: TemplateNode }
type CallNode = Node & {
  callee: Node & { property?: { name?: string }; object?: { name?: string } }
  arguments: (Node & { value?: unknown; quasis?: Quasi[] })[]
}
type ImportNode = Node & { source: { value?: unknown }; specifiers: (Node & { imported?: { name?: string } })[] }
type Context = { filename: string; report(problem: { node: object; message: string }): void }

const fileOf = (context: Context) => path.relative(root, context.filename).split(path.sep).join('/')
const textOf = (quasis: readonly Quasi[]) => quasis.map(({ value }) => value.cooked ?? value.raw).join(' $ ')

/** The methods of Kysely's builder that name a table in a string, each with its SQL keyword. */
const builder: Readonly<Record<string, string>> = {
  selectFrom: 'from',
  innerJoin: 'join',
  leftJoin: 'join',
  rightJoin: 'join',
  fullJoin: 'join',
  insertInto: 'into',
  mergeInto: 'into',
  replaceInto: 'into',
  updateTable: 'update',
  deleteFrom: 'delete from',
  truncateTable: 'truncate',
}

/** A text that begins like a statement, in lower or upper case as in code; prose begins with a capital letter. */
const statement =
  /^\s*(select\s[^]*\sfrom|insert\s+into|update\s+\S+\s+(\w+\s+)?set|delete\s+from|truncate\s+(table\s+)?\w+\s*(,|;|$)|lock\s+table|with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s*\(|declare\s+\w+\s+cursor)/
const isStatement = (text: string) =>
  statement.test(text) || (/^\s*[A-Z]{4}/.test(text) && statement.test(text.toLowerCase()))

/** The SQL that a call contains: a query as plain text, a builder's call, `sql.table('x')`; null when it contains none. */
function sqlOf(call: CallNode): string | null {
  const [first] = call.arguments
  const text = typeof first?.value === 'string' ? first.value : first?.quasis ? textOf(first.quasis) : null
  if (text === null) return null
  const method = call.callee.property?.name ?? ''
  const word = Object.hasOwn(builder, method) ? builder[method] : undefined
  if (word !== undefined) return `${word} ${text}`
  if (call.callee.object?.name === 'sql') return method === 'raw' ? text : method === 'table' ? `from ${text}` : null
  return null
}

const inStores = {
  create(context: Context) {
    const reason = misplacedSql(fileOf(context))
    if (reason === null) return {}
    const check = (node: object, text: string) => {
      if (isStatement(text)) context.report({ node, message: reason })
    }
    return {
      ImportDeclaration(node: ImportNode) {
        if (node.source.value !== 'kysely') return
        const found = node.specifiers.find((one) => one.imported?.name === 'sql')
        if (found) context.report({ node: found, message: reason })
      },
      CallExpression(node: CallNode) {
        const method = node.callee.property?.name ?? ''
        if (Object.hasOwn(builder, method) && sqlOf(node) !== null) context.report({ node, message: reason })
      },
      Literal(node: Node & { value?: unknown }) {
        if (typeof node.value === 'string') check(node, node.value)
      },
      TemplateLiteral(node: TemplateNode) {
        check(node, textOf(node.quasis))
      },
    }
  },
}

const owners = {
  create(context: Context) {
    const file = fileOf(context)
    const check = (node: object, text: string) => {
      for (const message of trespasses(file, text)) context.report({ node, message })
    }
    return {
      TaggedTemplateExpression(node: TaggedNode) {
        if (node.tag.name === 'sql') check(node, textOf(node.quasi.quasis))
      },
      CallExpression(node: CallNode) {
        const text = sqlOf(node)
        if (text !== null) check(node, text)
      },
      Literal(node: Node & { value?: unknown }) {
        if (typeof node.value === 'string' && isStatement(node.value)) check(node, node.value)
      },
      TemplateLiteral(node: TemplateNode & { parent?: Node & { tag?: { name?: string } } }) {
        const text = textOf(node.quasis)
        if (node.parent?.tag?.name !== 'sql' && isStatement(text)) check(node, text)
      },
    }
  },
}

export default { meta: { name: 'tables' }, rules: { 'sql-in-stores': inStores, 'have-owners': owners } }
