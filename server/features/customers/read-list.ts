import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FileTable } from '@groundswell/connectors/file-table.ts'
import { type CustomerColumns, MAX_LIST_LINES, MAX_LISTED_CUSTOMERS } from '@groundswell/contract/customers.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { BadRow } from '@groundswell/contract/feedback.ts'
import { parseAmount } from './amount.ts'
import { freeMailDomains } from './free-mail.ts'
import { cut, domainOf, MAX_CUSTOMER_NAME, nameKey } from './identify.ts'

/** A line of a list. `domain` null: it has a name only. `attributes`: its other columns. */
export type Listed = {
  line: number
  name: string
  domain: string | null
  plan: string | null
  revenue: number | null
  region: string | null
  attributes: Record<string, string>
}

const MAX_VALUE = 100
const MAX_ATTRIBUTES = 10
const MAX_ATTRIBUTE = 200
/** No common name of a column is longer. */
const MAX_COMPARED = 100
/** Rejected lines that are shown. */
const MAX_REJECTED = 200

const list = (text: string): readonly string[] => text.trim().split(/\s+/)
/** Common names of columns, likeliest first, without capitals and signs. */
const names: Record<keyof CustomerColumns, readonly string[]> = {
  domain: list(
    'domain emaildomain companydomain companydomainname domainname website websiteurl companywebsite web url',
  ),
  name: list(
    'name company companyname customer customername account accountname organisation organization firma kunde',
  ),
  plan: list('plan tier subscription package product segment tarif'),
  revenue: list('revenue mrr arr annualrevenue acv amount value umsatz'),
  region: list('region country countryregion billingcountry territory market land'),
}

/** Which column has what, by the names of the columns. */
export function guessColumns(columns: readonly string[]): CustomerColumns {
  const plain = columns.map((name) =>
    name
      .slice(0, MAX_COMPARED)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, ''),
  )
  const found: CustomerColumns = {}
  for (const [role, likely] of Object.entries(names) as [keyof CustomerColumns, readonly string[]][]) {
    const name = likely.flatMap((one) => columns[plain.indexOf(one)] ?? [])[0]
    if (name !== undefined) found[role] = name
  }
  return found
}

/** What a file of customers holds. `rejected` has the first of the rejected rows, `rejectedCount` counts all of them. */
export type ReadList = { listed: Listed[]; rejected: BadRow[]; rejectedCount: number }

/**
 * The customers of a list, and the first rejected lines with the reason. Of two lines about one customer the first counts. After each slice
 * of the file it lets the event loop continue. Throws `ContractError` for a list with too many lines or customers.
 */
export async function readList({ columns, slices }: FileTable, mapping: CustomerColumns): Promise<ReadList> {
  const read: ReadList = { listed: [], rejected: [], rejectedCount: 0 }
  const lines = new Map<string, number>()
  const roles = Object.values(mapping)
  const others = columns.filter((column) => !roles.includes(column)).slice(0, MAX_ATTRIBUTES)
  const reject = (line: number, reason: string) => {
    read.rejectedCount += 1
    if (read.rejected.length < MAX_REJECTED) read.rejected.push({ line, reason })
  }
  for (const slice of slices) {
    if (slice.line > MAX_LIST_LINES) throw tooLong(MAX_LIST_LINES, 'lines')
    for (const { line, cells, problem } of slice.rows) {
      if (problem === null && cells.every((cell) => cell.trim() === '')) continue
      const cell = (name: string | undefined) => (name === undefined ? '' : (cells[columns.indexOf(name)] ?? '').trim())
      const found = problem ?? readLine(line, cell, mapping, others)
      if (typeof found === 'string') {
        reject(line, found)
        continue
      }
      const keys = [...(found.domain === null ? [] : [found.domain]), `name:${nameKey(found.name)}`]
      // Two domains may have one name: they are two customers.
      const before = lines.get(keys[0] ?? '')
      if (before !== undefined) reject(line, `The same customer is in line ${before}`)
      else {
        for (const key of keys) if (!lines.has(key)) lines.set(key, line)
        read.listed.push(found)
        if (read.listed.length > MAX_LISTED_CUSTOMERS) throw tooLong(MAX_LISTED_CUSTOMERS, 'customers')
      }
    }
    await nextTurn()
  }
  return read
}

function tooLong(limit: number, of: string): ContractError {
  const message = `A list has at most ${limit.toLocaleString('en-US')} ${of}`
  return new ContractError('invalid_input', message, { 'body.text': message })
}

function readLine(
  line: number,
  cell: (name: string | undefined) => string,
  mapping: CustomerColumns,
  others: readonly string[],
): Listed | string {
  const [website, called, paid] = [cell(mapping.domain), cell(mapping.name), cell(mapping.revenue)]
  const domain = website === '' ? domainOf(called) : domainOf(website)
  if (website !== '' && domain === null) return `${quoted(website)} is not a domain`
  if (domain !== null && freeMailDomains.has(domain))
    return `${domain} is a public mail domain: anyone can have an address there`
  const name = cut(called, MAX_CUSTOMER_NAME) || domain || ''
  if (nameKey(name) === '') return 'The line has neither a domain nor a name'
  const revenue = paid === '' ? null : parseAmount(paid)
  if (paid !== '' && revenue === null) return `The revenue ${quoted(paid)} cannot be read`
  const attributes = others.flatMap((column) => {
    const value = cut(cell(column), MAX_ATTRIBUTE)
    return value === '' ? [] : [[cut(column, MAX_VALUE), value]]
  })
  return {
    line,
    name,
    domain,
    plan: cut(cell(mapping.plan), MAX_VALUE) || null,
    revenue,
    region: cut(cell(mapping.region), MAX_VALUE) || null,
    attributes: Object.fromEntries(attributes),
  }
}

const quoted = (text: string) => JSON.stringify(cut(text, 60))
