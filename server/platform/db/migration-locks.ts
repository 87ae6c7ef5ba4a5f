import { CREATES_TABLE, createdIn, NAME, pattern, type Statement, split, statementsOf } from './migration-text.ts'
import { workReader } from './migration-work.ts'

/** The locks of tables that migrations take, the weakest first. From `share` on, a lock keeps others from writing; the last also from reading. */
const MODES = ['row exclusive', 'share update exclusive', 'share', 'share row exclusive', 'access exclusive'] as const
/** A lock mode of PostgreSQL for tables, in lower case. */
export type LockMode = (typeof MODES)[number]

/**
 * The strongest lock that a migration takes of one table which was there before. A migration is one transaction and keeps it until its end. `during`:
 * the tables that are read, changed or indexed meanwhile, row by row; while there are none, the lock lasts for an instant.
 */
export type TableLock = { table: string; mode: LockMode; during: string[] }

type Rule = { pattern: RegExp; mode: LockMode }

const ALTERS = pattern(String.raw`alter\s+table(?:\s+if\s+exists)?(?:\s+only)?`)
/** The one change of a table that others need not wait for. */
const VALIDATES = new RegExp(String.raw`^\s*${ALTERS.source}\s+validate\s+constraint\s+\w+\s*$`, 'i')
const RULES: readonly Rule[] = [
  { pattern: ALTERS, mode: 'access exclusive' },
  { pattern: pattern(String.raw`drop\s+table(?:\s+if\s+exists)?`), mode: 'access exclusive' },
  { pattern: pattern(String.raw`lock\s+table(?:\s+only)?`), mode: 'access exclusive' },
  { pattern: pattern('truncate(?:\\s+table)?'), mode: 'access exclusive' },
  { pattern: pattern(String.raw`(?:create|alter|drop)\s+policy\s+\w+\s+on`), mode: 'access exclusive' },
  { pattern: pattern(String.raw`drop\s+trigger(?:\s+if\s+exists)?\s+\w+\s+on`), mode: 'access exclusive' },
  {
    pattern:
      /\bcreate\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\b[^;]*?\bon\s+(?!update|delete)"?([a-z_]\w*)"?/gi,
    mode: 'share row exclusive',
  },
  { pattern: pattern('references'), mode: 'share row exclusive' },
  { pattern: /\bcreate\s+(?:unique\s+)?index\b[^;(]*?\bon\s+(?:only\s+)?"?([a-z_]\w*)"?/gi, mode: 'share' },
  { pattern: pattern(String.raw`insert\s+into`), mode: 'row exclusive' },
  { pattern: pattern(String.raw`delete\s+from`), mode: 'row exclusive' },
  { pattern: /(?:^|;|\bas\s*\(|\bloop\b|\bbegin\b)\s*update\s+(?:only\s+)?"?([a-z_]\w*)"?/gim, mode: 'row exclusive' },
]
/** What an index is of cannot be read from the statement that drops it. */
const DROPPED_INDEX = pattern(String.raw`drop\s+index(?:\s+if\s+exists)?`)
const CREATED_INDEX =
  /\bcreate\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?"?([a-z_]\w*)"?\s+on\s+(?:only\s+)?"?([a-z_]\w*)"?/gi

/** From this one on, others have to wait. */
const WAITED_FOR = MODES.indexOf('share')

/**
 * The locks that a migration takes of tables that were there before it, by its text. `before`: the text of all earlier migrations, which says
 * what a dropped index is of, which tables there are and what functions do. Names of tables in an `array` of a `do` block count as altered there.
 */
export function locksOf(sql: string, before = ''): TableLock[] {
  const { own } = split(sql)
  const created = createdIn(own)
  const workOf = workReader(sql, before)
  const locks = new Map<string, { mode: LockMode; during: Set<string> }>()
  for (const statement of statementsOf(sql)) {
    for (const [table, mode] of locksOfStatement(statement, before, own)) {
      if (created.has(table)) continue
      const held = locks.get(table)
      if (held === undefined) locks.set(table, { mode, during: new Set() })
      else if (MODES.indexOf(held.mode) < MODES.indexOf(mode)) held.mode = mode
    }
    const work = workOf(statement)
    for (const { mode, during } of locks.values())
      if (MODES.indexOf(mode) >= WAITED_FOR) for (const table of work) during.add(table)
  }
  return [...locks]
    .map(([table, { mode, during }]) => ({ table, mode, during: [...during].sort() }))
    .sort((a, b) => (a.table < b.table ? -1 : 1))
}

/** `own`: all statements of the migration. */
function locksOfStatement({ text, block }: Statement, before: string, own: string): [string, LockMode][] {
  const locks: [string, LockMode][] = []
  const add = (table: string, mode: LockMode) => locks.push([table.toLowerCase(), mode])
  const [, validated] = VALIDATES.exec(text) ?? []
  if (validated !== undefined) return [[validated.toLowerCase(), 'share update exclusive']]
  for (const { pattern, mode } of RULES) for (const [, table = ''] of text.matchAll(pattern)) add(table, mode)
  if (block) {
    if (!/format\s*\(\s*'+\s*(?:alter\s+table|create\s+policy|drop\s+policy)/i.test(text)) return locks
    for (const [, list = ''] of text.matchAll(/array\s*\[([^\]]*)\]/gi))
      for (const [, table = ''] of list.matchAll(/'([a-z_]\w*)'/gi)) add(table, 'access exclusive')
    return locks
  }
  for (const [, dropped] of text.matchAll(DROPPED_INDEX)) {
    const made = [...`${before}\n${own}`.matchAll(CREATED_INDEX)].findLast(([, index]) => index === dropped)
    if (made?.[2]) add(made[2], 'access exclusive')
  }
  // The table that a foreign key refers to is locked with the one that loses it.
  for (const [, table = ''] of text.matchAll(new RegExp(`${ALTERS.source}[^;]*\\bdrop\\s+constraint`, 'gi'))) {
    const [, columns = ''] = new RegExp(`${CREATES_TABLE}\\s+${table}\\s*\\(([\\s\\S]*?)\\n\\)`, 'i').exec(before) ?? []
    for (const [, referenced = ''] of columns.matchAll(pattern('references'))) add(referenced, 'access exclusive')
  }
  return locks
}

/**
 * What an earlier version of the program that still runs would stumble over: a dropped or renamed table or column, a dropped function, a changed type,
 * a column that must be given. Each as a phrase, such as `drops the column status of connection`.
 */
export function breaksOf(sql: string): string[] {
  const { own } = split(sql)
  const breaks: string[] = []
  const created = createdIn(own)
  for (const [, table] of own.matchAll(pattern(String.raw`drop\s+table(?:\s+if\s+exists)?`)))
    breaks.push(`drops the table ${table}`)
  for (const [, name = ''] of own.matchAll(pattern(String.raw`drop\s+(?:function|view)(?:\s+if\s+exists)?`))) {
    if (!new RegExp(String.raw`\bcreate\s[^;(]*\b(?:function|view)\s+(?:public\.)?"?${name}\b`, 'i').test(own))
      breaks.push(`drops ${name}`)
  }
  for (const [, table = '', actions = ''] of own.matchAll(
    new RegExp(String.raw`\balter\s+table(?:\s+if\s+exists)?(?:\s+only)?\s+${NAME}([^;]*)`, 'gi'),
  )) {
    if (created.has(table.toLowerCase())) continue
    const say = (expression: RegExp, words: (name: string) => string) => {
      for (const [, name = ''] of actions.matchAll(expression)) breaks.push(`${words(name)} of ${table}`)
    }
    say(/\bdrop\s+column\s+(?:if\s+exists\s+)?(\w+)/gi, (name) => `drops the column ${name}`)
    say(/\brename\s+(?:column\s+)?(?!to\b|constraint\b)(\w+)\s+to\b/gi, (name) => `renames the column ${name}`)
    say(
      /\balter\s+(?:column\s+)?(\w+)\s+(?:set\s+data\s+)?type\b/gi,
      (name) => `changes the type of the column ${name}`,
    )
    say(/\balter\s+(?:column\s+)?(\w+)\s+set\s+not\s+null/gi, (name) => `requires the column ${name}`)
    say(
      /\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?(?!(?:constraint|check|unique|primary|foreign|exclude)\b)(\w+)\s(?=[^,]*\bnot\s+null)(?![^,]*\b(?:default|generated)\b)/gi,
      (name) => `requires the new column ${name}`,
    )
    if (/\brename\s+to\b/i.test(actions)) breaks.push(`renames the table ${table}`)
  }
  return breaks
}
