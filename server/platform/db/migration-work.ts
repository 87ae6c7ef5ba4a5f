import { createdIn, NAME, pattern, STRINGS, type Statement, split } from './migration-text.ts'

/** The statements that read or change rows as they run; what a policy, a view or a function says runs later. */
const RUNS = /^\s*(?:with|select|insert|update|delete|merge|copy|call|refresh)\b/i
const FILLS =
  /^\s*create\s+(?:(?:unlogged|temporary|temp)\s+)?(?:table|materialized\s+view)\b[\s\S]*?\bas\s+(?:with|select)\b/i
const NEW_TABLE = new RegExp(String.raw`^\s*create\s+[a-z\s]*?(?:table|view)\s+(?:if\s+not\s+exists\s+)?${NAME}`, 'i')
const INSERTS = pattern(String.raw`insert\s+into`)
const CHANGES = pattern(String.raw`(?:delete\s+from|(?<!\b(?:for|do|key)\s+)update)(?:\s+only)?`)
/** Tables after a comma too; a name before a dot or a parenthesis is none. */
const READS = /(?:\b(?:from|join|using)\s+|,\s*)(?:only\s+|lateral\s+)?(?:public\.)?"?([a-z_]\w*)\b"?(?!\s*[.(])/gi
const INDEXES = /\bcreate\s+(?:unique\s+)?index\b[^;(]*?\bon\s+(?:only\s+)?"?([a-z_]\w*)"?/gi
const ALTERS = new RegExp(String.raw`\balter\s+table(?:\s+if\s+exists)?(?:\s+only)?\s+${NAME}([^;]*)`, 'gi')

/**
 * Reads what statements of a migration work on, row by row: the tables, from before the migration, that they read, change or index. `before`: the text
 * of all earlier migrations, which says what tables there are and what functions read. Rows that are written out in the migration do not count.
 * Statements are to be passed in their order: a table that an earlier one filled stands for those that it was filled from.
 */
export function workReader(sql: string, before: string): (statement: Statement) => string[] {
  const earlier = split(before)
  const now = split(sql)
  const created = createdIn(now.own)
  const known = createdIn(earlier.own)
  const functions = new Map([...earlier.functions, ...now.functions])
  const filled = new Map<string, readonly string[]>()

  const origins = (name: string): readonly string[] => (created.has(name) ? (filled.get(name) ?? []) : [name])
  const readBy = (text: string, seen: ReadonlySet<string> = new Set()): string[] => {
    const tables = namesIn(text, READS).filter((name) => created.has(name) || known.has(name))
    const found = [...tables, ...namesIn(text, CHANGES)].flatMap(origins)
    for (const name of namesIn(text.replace(STRINGS, "''"), /\b([a-z_]\w*)\s*\(/gi)) {
      const body = functions.get(name)
      if (body !== undefined && !seen.has(name)) found.push(...readBy(body, new Set([...seen, name])))
    }
    return found
  }
  return ({ text, block }) => {
    const work = [...namesIn(text, INDEXES).flatMap(origins), ...alteredBy(text).flatMap(origins)]
    if (block && /format\s*\(/i.test(text) && scans(text))
      for (const [, list = ''] of text.matchAll(/array\s*\[([^\]]*)\]/gi))
        work.push(...namesIn(list, /'([a-z_]\w*)'/gi))
    if (!block && !RUNS.test(text) && !FILLS.test(text)) return work
    const read = readBy(text)
    const targets = FILLS.test(text) ? [NEW_TABLE.exec(text)?.[1]?.toLowerCase() ?? ''] : namesIn(text, INSERTS)
    if (read.length > 0) {
      for (const table of targets) {
        if (created.has(table)) filled.set(table, [...origins(table), ...read])
        else if (!FILLS.test(text)) work.push(table)
      }
    }
    return [...work, ...read]
  }
}

function namesIn(text: string, expression: RegExp): string[] {
  return [...text.matchAll(expression)].map(([, name = '']) => name.toLowerCase())
}

/** The tables whose rows an `alter table` reads or writes again, and those that they refer to. */
function alteredBy(text: string): string[] {
  const tables: string[] = []
  for (const [, table = '', actions = ''] of text.matchAll(ALTERS)) {
    for (const action of actions.split(/,(?=\s*(?:add|alter|drop|validate|set|rename)\b)/i)) {
      if (scans(action)) tables.push(table.toLowerCase(), ...namesIn(action, pattern('references')))
    }
  }
  return tables
}

/** Whether an action of `alter table` reads every row. A new column with a constant default does not, nor does a constraint that is not validated. */
function scans(action: string): boolean {
  if (/\bnot\s+valid\b|\busing\s+index\b/i.test(action)) return false
  return (
    /\badd\s+(?:constraint\s+\w+\s+)?(?:check|foreign\s+key|unique|primary\s+key|exclude)\b/i.test(action) ||
    /\bvalidate\s+constraint\b|\bset\s+not\s+null\b|\bset\s+(?:un)?logged\b|\bset\s+tablespace\b/i.test(action) ||
    /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/i.test(action) ||
    (/\badd\s+/i.test(action) &&
      /\bcheck\b|\bunique\b|\bprimary\s+key\b|\bgenerated\b|\w*serial\b|\bdefault\s+\(*(?!now\b|current_)\w+\s*\(/i.test(
        action,
      ))
  )
}
