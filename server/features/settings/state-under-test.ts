const NAMES = ['a', 'b']
const BY_NAME = new Map(NAMES.map((name, at) => [name, at]))
const SET: ReadonlySet<string> = new Set(NAMES)
const table = new Map<string, number>()
for (const name of NAMES) table.set(name, name.length)
const PATTERN = /x/
const ENCODER = new TextEncoder()
const FORMAT = new Intl.NumberFormat('en')
const ORDER = { a: 1 }
export function use(names: string[]) {
  const seen = new Map<string, number>()
  for (const name of names) seen.set(name, table.get(name) ?? 0)
  const sorted = names.toSorted((a, b) => ORDER[a] - ORDER[b])
  sorted.push(FORMAT.format(BY_NAME.get('a') ?? 0))
  return { seen, sorted, in: (table: Set<string>) => table.add('x'), is: PATTERN.test('x') && SET.has('x'), ENCODER }
}
