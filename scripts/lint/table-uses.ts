/** A table that SQL text reads or writes. */
export type TableUse = { table: string; writes: boolean }

/** Words after which a table is named, and whether it is written to there. `into` also follows `merge`. */
const introductions: Readonly<Record<string, boolean>> = {
  from: false,
  join: false,
  using: false,
  into: true,
  update: true,
  truncate: true,
  table: true,
}

/** Words that can follow a table name but are not an alias of it. */
const notAnAlias = new Set([
  'where',
  'join',
  'left',
  'inner',
  'cross',
  'on',
  'set',
  'order',
  'group',
  'limit',
  'for',
  'using',
])

/**
 * The tables that a piece of SQL names, of those in `tables`. A piece may be a fragment: one that begins with a table's name, as
 * in `delivery join …`, names it too. Columns (`insight.name`, `select name`) and strings are not tables.
 */
export function tableUses(text: string, tables: ReadonlySet<string>): TableUse[] {
  const words = wordsOf(text)
  const uses: TableUse[] = []
  const add = (at: number, writes: boolean): number => {
    let next = at
    while (words[next] === 'only' || words[next] === 'lateral') next += 1
    if (words[next] === 'public' && words[next + 1] === '.') next += 2
    const word = words[next] ?? ''
    // `from name(…)` is a function, `into name (…)` a table with its columns.
    const isTable = words[next + 1] !== '.' && (writes || words[next + 1] !== '(')
    if (tables.has(word) && isTable) uses.push({ table: word, writes })
    return next + 1
  }
  const first = words[0] ?? ''
  if (tables.has(first) && isListed(words, 1)) add(0, false)
  for (const [at, word] of words.entries()) {
    const writes = introductions[word]
    if (writes === undefined) continue
    const deletes = word === 'from' && words[at - 1] === 'delete'
    let next = add(at + 1, writes || deletes)
    // A list of tables continues after a comma: `from a, b` and `from a x, b y`.
    while (!writes) {
      if (words[next] === 'as') next += 1
      if (/^[a-z_]\w*$/.test(words[next] ?? '') && !notAnAlias.has(words[next] ?? '')) next += 1
      if (words[next] !== ',') break
      next = add(next + 1, deletes)
    }
  }
  return uses
}

/** True when what follows the first word of a fragment, with or without an alias, shows that it is a table and not a column. */
function isListed(words: readonly string[], at: number): boolean {
  if (/^(join|left|inner|cross|where|on)$/.test(words[at] ?? '')) return true
  return /^[a-z_]\w*$/.test(words[at] ?? '') && /^(join|left|inner|cross|where|on)$/.test(words[at + 1] ?? '')
}

/** SQL in lower case as identifiers and signs, without comments, strings and the quotes of identifiers. */
function wordsOf(text: string): string[] {
  const plain = text
    .replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, " '' ")
    .replaceAll('"', '')
    .toLowerCase()
  return plain.match(/[a-z_]\w*|[^\s\w]|\d+/g) ?? []
}
