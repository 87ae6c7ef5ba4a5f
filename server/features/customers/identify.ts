import { domainToASCII } from 'node:url'
import { COMPANY_ATTRIBUTES } from '@groundswell/connectors/kit/documents/insight-document.ts'
import { withoutControls } from '@groundswell/contract/values/name.ts'
import { parseAmount } from './amount.ts'
import { freeMailDomains } from './free-mail.ts'

/** What is known about the author of a message. */
export type Written = { author: string | null; attributes: Readonly<Record<string, string>> }

/** The customer of a message: `key` is the same for all its messages; `name` names it where it is new. */
export type Identity = { key: string; name: string }

/** The facts about a customer that messages contain. */
export type Told = { plan: string | null; revenue: number | null; region: string | null }

/** `own`: domains of the workspace's members; `listed`: domains that a person listed; `domains`: those of listed customers by their names. */
export type Known = {
  own: ReadonlySet<string>
  listed: ReadonlySet<string>
  keys: ReadonlyMap<string, string>
}

/** The longest name of a customer in characters. */
export const MAX_CUSTOMER_NAME = 200
const MAX_VALUE = 100
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?$/
const ADDRESS = /([^\s<>"',;:@()[\]]+)@([^\s<>"',;:@()[\]]+)/u

/** A domain in its canonical form, also from a web address; null if the text is not a domain. */
export function domainOf(text: string): string | null {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^[^/?#@]*@/, '')
    .replace(/[/?#:].*$/, '')
    .replace(/^www\./, '')
    .replace(/\.$/, '')
  if (!host.includes('.') || /\s/.test(host)) return null
  const ascii = domainToASCII(host)
  const labels = ascii.split('.')
  const isDomain =
    ascii.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => label.length <= 63 && LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  return isDomain ? ascii : null
}

/** The domain of the e-mail address in an author, such as `Ann <ann@acme.com>`; null: there is none. */
export function mailDomain(author: string | null): string | null {
  const [, , host] = ADDRESS.exec(author ?? '') ?? []
  return host === undefined ? null : domainOf(host)
}

/** A name for comparison: capitals, spaces and full stops at the end do not distinguish customers. */
export function nameKey(name: string): string {
  return withoutControls(name)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/[\s.,]+$/u, '')
    .trim()
    .slice(0, MAX_CUSTOMER_NAME)
    .toWellFormed()
}

/** The name of the organisation that a file or a source gave the message; null: none. */
export function organisationOf({ attributes }: Written): string | null {
  for (const [name, value] of Object.entries(attributes)) {
    if (COMPANY_ATTRIBUTES.includes(name.toLowerCase()) && nameKey(value) !== '') return cut(value, MAX_CUSTOMER_NAME)
  }
  return null
}

/**
 * The customer behind a message: the organisation that its file or source names, else the domain of the author's e-mail address. Domains at which
 * anyone gets an address are nobody's, and those of the workspace's own members are no customer's unless a person listed them. Null: not known.
 */
export function identify(written: Written, { own, listed, keys }: Known): Identity | null {
  const organisation = organisationOf(written)
  if (organisation !== null) {
    const domain = domainOf(organisation)
    if (domain !== null) return { key: domain, name: domain }
    const name = nameKey(organisation)
    return { key: keys.get(name) ?? `name:${name}`, name: organisation }
  }
  const domain = mailDomain(written.author)
  if (domain === null || freeMailDomains.has(domain)) return null
  if (own.has(domain) && !listed.has(domain)) return null
  return { key: domain, name: domain }
}

/** The attributes of a message that describe its customer, by name, in any case. */
export function toldBy({ attributes }: Written): Told {
  const told: Told = { plan: null, revenue: null, region: null }
  for (const [name, value] of Object.entries(attributes)) {
    const field = name.toLowerCase()
    if (field === 'plan' || field === 'region') told[field] = cut(value, MAX_VALUE) || null
    else if (field === 'revenue') told.revenue = parseAmount(value)
  }
  return told
}

/** One line, without control characters, up to a number of characters. */
export function cut(text: string, length: number): string {
  const line = withoutControls(text).replace(/\s+/gu, ' ').trim()
  return line.slice(0, length).toWellFormed().trim()
}
