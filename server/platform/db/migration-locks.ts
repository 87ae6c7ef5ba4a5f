/** The locks of tables that migrations take, the weakest first. From `share` on, a lock keeps others from writing; the last also from reading. */
const MODES = ['row exclusive', 'share', 'share row exclusive', 'access exclusive'] as const
export type LockMode = (typeof MODES)[number]

/** The strongest lock that a migration takes of one table which was there before. */
export type TableLock = { table: string; mode: LockMode }

type Rule = { pattern: RegExp; mode: LockMode }

const NAME = String.raw`(?:public\.)?"?([a-z_][a-z0-9_]*)"?`
const pattern = (start: string) => new RegExp(`\\b${start}\\s+${NAME}`, 'gi')
const CREATES_TABLE = String.raw`create\s+(?:unlogged\s+)?table(?:\s+if\s+not\s+exists)?`
const CREATES = pattern(CREATES_TABLE)
const ALTERS = pattern(String.raw`alter\s+table(?:\s+if\s+exists)?(?:\s+only)?`)
const RULES: readonly Rule[] = [
  { pattern: ALTERS, mode: 'access exclusive' },
  { pattern: pattern(String.raw`drop\s+table(?:\s+if\s+exists)?`), mode: 'access exclusive' },
  { pattern: pattern('truncate(?:\\s+table)?'), mode: 'access exclusive' },
  { pattern: pattern(String.raw`(?:create|alter|drop)\s+policy\s+\w+\s+on`), mode: 'access exclusive' },
  { pattern: pattern(String.raw`drop\s+trigger(?:\s+if\s+exists)?\s+\w+\s+on`), mode: 'access exclusive' },
  {
    pattern: /\bcreate\s+(?:constraint\s+)?trigger\b[^;]*?\bon\s+(?!update|delete)"?([a-z_]\w*)"?/gi,
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

/**
 * The locks that a migration takes of tables that were there before it, by its text. `before`: the text of all earlier migrations, which says
 * what a dropped index is of. Names of tables in an `array` of a `do` block count as altered there.
 */
export function locksOf(sql: string, before = ''): TableLock[] {
  const { own, bodies } = split(sql)
  const locks = new Map<string, LockMode>()
  const add = (table: string, mode: LockMode) => {
    const held = locks.get(table)
    if (held === undefined || MODES.indexOf(held) < MODES.indexOf(mode)) locks.set(table, mode)
  }
  for (const text of [own, ...bodies]) {
    for (const { pattern, mode } of RULES)
      for (const [, table = ''] of text.matchAll(pattern)) add(table.toLowerCase(), mode)
  }
  const indexed = new Map([...`${before}\n${own}`.matchAll(CREATED_INDEX)].map(([, index, table]) => [index, table]))
  for (const [, index] of own.matchAll(DROPPED_INDEX)) {
    const table = indexed.get(index)
    if (table) add(table, 'access exclusive')
  }
  // The table that a foreign key refers to is locked with the one that loses it.
  for (const [, table = ''] of own.matchAll(new RegExp(`${ALTERS.source}[^;]*\\bdrop\\s+constraint`, 'gi'))) {
    const [, columns = ''] = new RegExp(`${CREATES_TABLE}\\s+${table}\\s*\\(([\\s\\S]*?)\\n\\)`, 'i').exec(before) ?? []
    for (const [, referenced = ''] of columns.matchAll(pattern('references'))) add(referenced, 'access exclusive')
  }
  for (const body of bodies) {
    if (!/format\s*\(\s*'+\s*(?:alter\s+table|create\s+policy|drop\s+policy)/i.test(body)) continue
    for (const [, list = ''] of body.matchAll(/array\s*\[([^\]]*)\]/gi)) {
      for (const [, table = ''] of list.matchAll(/'([a-z_]\w*)'/gi)) add(table, 'access exclusive')
    }
  }
  for (const [, created = ''] of own.matchAll(CREATES)) locks.delete(created.toLowerCase())
  return [...locks].map(([table, mode]) => ({ table, mode })).sort((a, b) => (a.table < b.table ? -1 : 1))
}

/**
 * What an earlier version of the program that still runs would stumble over: a dropped or renamed table or column, a changed type, a column
 * that must be given. Each in words, such as `drops the column status of connection`.
 */
export function breaksOf(sql: string): string[] {
  const { own } = split(sql)
  const breaks: string[] = []
  const created = new Set([...own.matchAll(CREATES)].map(([, table = '']) => table.toLowerCase()))
  for (const [, table] of own.matchAll(pattern(String.raw`drop\s+table(?:\s+if\s+exists)?`)))
    breaks.push(`drops the table ${table}`)
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

/** The statements without comments and strings, and the bodies of `do` blocks. The bodies of functions run later and are left out. */
function split(sql: string): { own: string; bodies: string[] } {
  const plain = sql.replace(/--[^\n]*/g, '').replace(/\/\*[\s\S]*?\*\//g, '')
  const bodies: string[] = []
  const own = plain.replace(
    /(\bdo\s+)?\$(\w*)\$([\s\S]*?)\$\2\$/gi,
    (_, block: string | undefined, _tag, body: string) => {
      if (block) bodies.push(body)
      return "''"
    },
  )
  return { own: own.replace(/'(?:[^']|'')*'/g, "''"), bodies }
}
