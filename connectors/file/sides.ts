import { nameOf, wordsOf } from './names.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const OURS =
  words(`agent agents staff support support_agent support_team team team_member employee company business brand
  operator moderator representative rep csr bot assistant system admin administrator owner internal outbound outgoing outbox out
  sent mitarbeiter agente equipe`)
const THEIRS =
  words(`customer customers user users end_user enduser client clients visitor guest contact requester consumer
  buyer lead human external inbound incoming inbox in received kunde cliente`)
/** Rights that a customer can have in a product. In a column about authors, they are those of our own people. */
const RIGHTS = words('admin administrator owner')
const YES = words('true yes 1 y t ja si oui sim')
const NO = words('false no 0 n f nein non nao')
/** Words in the name of a column by which `true` is a customer's. */
const OF_CUSTOMERS = words('inbound incoming customer user client visitor requester contact received')

/** Who wrote a row, as the cell of a column of this name tells it: our own side (`agent`) or a customer; null: not known. */
export function sideOf(column: string, cell: string): 'customer' | 'agent' | null {
  const value = nameOf(cell)
  if (OURS.has(value)) return 'agent'
  if (THEIRS.has(value)) return 'customer'
  if (!YES.has(value) && !NO.has(value)) return null
  const ofCustomers = wordsOf(column).some((word) => OF_CUSTOMERS.has(word))
  return YES.has(value) === ofCustomers ? 'customer' : 'agent'
}

/**
 * Whether every cell names a side and some are customers': a survey of agents is feedback. Rights such as `admin` count only where
 * the column is about authors.
 */
export function tellsSides(column: string, cells: readonly string[]): boolean {
  const name = nameOf(column)
  if (name === 'role' || name.startsWith('user_')) {
    if (cells.some((cell) => RIGHTS.has(nameOf(cell)))) return false
  }
  const sides = cells.map((cell) => sideOf(column, cell))
  return sides.includes('customer') && !sides.includes(null)
}
