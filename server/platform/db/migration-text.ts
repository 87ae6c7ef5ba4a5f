import { createHash } from 'node:crypto'

/** How a migration names a table. */
export const NAME = String.raw`(?:public\.)?"?([a-z_][a-z0-9_]*)"?`

/** Finds the names that follow `start`, a regular expression. */
export const pattern = (start: string): RegExp => new RegExp(`\\b${start}\\s+${NAME}`, 'gi')

/** What precedes the name of a table in a statement that creates it, as part of a regular expression. */
export const CREATES_TABLE = String.raw`create\s+(?:(?:unlogged|temporary|temp)\s+)?table(?:\s+if\s+not\s+exists)?`

/** Strings in SQL. */
export const STRINGS = /'(?:[^']|'')*'/g

/** One statement without comments and strings, or the body of a `do` block with its strings. */
export type Statement = { text: string; block: boolean }

/** The statements of a migration, in their order. */
export function statementsOf(sql: string): Statement[] {
  const { own, blocks } = split(sql)
  return own.split(';').map((text) => {
    const [, block] = /^\s*do\s+block_(\d+)/i.exec(text) ?? []
    return block === undefined ? { text, block: false } : { text: blocks[Number(block)] ?? '', block: true }
  })
}

/** The names of the tables that statements create. `own`: see `split`. */
export function createdIn(own: string): Set<string> {
  return new Set([...own.matchAll(pattern(CREATES_TABLE))].map(([, table = '']) => table.toLowerCase()))
}

/** The statements without comments and strings, the bodies of `do` blocks, and by their names those of functions, which run later. */
export function split(sql: string): { own: string; blocks: string[]; functions: Map<string, string> } {
  const plain = sql.replace(/--[^\n]*/g, '').replace(/\/\*[\s\S]*?\*\//g, '')
  const blocks: string[] = []
  const functions = new Map<string, string>()
  const own = plain.replace(
    /(\bdo\s+)?\$(\w*)\$([\s\S]*?)\$\2\$/gi,
    (_, block: string | undefined, _tag, body: string, at: number) => {
      if (block) return `do block_${blocks.push(body) - 1}`
      const [, name] = [...plain.slice(0, at).matchAll(/\bfunction\s+(?:public\.)?(\w+)\s*\(/gi)].at(-1) ?? []
      if (name) functions.set(name.toLowerCase(), body)
      return "''"
    },
  )
  return { own: own.replace(STRINGS, "''"), blocks, functions }
}

/** SHA-256 of a file's text, in hex; line endings of another system are no difference. */
export function checksumOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}
