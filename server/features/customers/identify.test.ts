import { expect, it } from 'vitest'
import { parseAmount } from './amount.ts'
import { domainOf, identify, type Known, mailDomain, nameKey, toldBy } from './identify.ts'

const known: Known = {
  own: new Set(['ours.com', 'partner.com']),
  listed: new Set(['partner.com']),
  keys: new Map([['acme', 'acme.com']]),
}
const of = (author: string | null, attributes: Record<string, string> = {}) => identify({ author, attributes }, known)

it.each([
  [
    'the organisation wins over the address',
    of('ann@other.com', { organisation: 'Globex' }),
    { key: 'name:globex', name: 'Globex' },
  ],
  [
    'of a source that says company',
    of(null, { company: ' Globex  Inc. ' }),
    { key: 'name:globex inc', name: 'Globex Inc.' },
  ],
  ['a listed name leads to its domain', of(null, { organisation: 'ACME.' }), { key: 'acme.com', name: 'ACME.' }],
  [
    'an organisation may be a domain',
    of(null, { organisation: 'https://www.Acme.com/de' }),
    { key: 'acme.com', name: 'acme.com' },
  ],
  ['an empty one is none', of('ann@acme.com', { organisation: '  ' }), { key: 'acme.com', name: 'acme.com' }],
  ['the domain of the address', of('Ann Lee <Ann@ACME.com>'), { key: 'acme.com', name: 'acme.com' }],
  ['free mail is nobody', of('ann@gmail.com'), null],
  ['nor is free mail of another country', of('ann@yahoo.co.uk'), null],
  ['the own domain is no customer', of('me@ours.com'), null],
  ['unless it was listed', of('me@partner.com'), { key: 'partner.com', name: 'partner.com' }],
  ['a name is no address', of('Ann Lee'), null],
  ['nobody', of(null), null],
])('%s', (_, found, expected) => expect(found).toEqual(expected))

it.each([
  ['acme.com', 'acme.com'],
  ['WWW.Acme.COM.', 'acme.com'],
  ['http://acme.com:8080/x?y', 'acme.com'],
  ['ann@acme.com', 'acme.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['localhost', null],
  ['10.0.0.1', null],
  ['Acme Inc. Ltd', null],
  ['a..b', null],
  ['', null],
])('%j as a domain is %j', (text, domain) => expect(domainOf(text)).toBe(domain))

it('an address without a domain is none', () => {
  expect(mailDomain('ann@localhost')).toBeNull()
  expect(mailDomain('@handle')).toBeNull()
})

it('names are compared without capitals, spaces and a full stop', () => {
  expect(nameKey('  Acme\u00a0 INC. ')).toBe('acme inc')
})

it.each([
  ['12500', 12_500],
  ['$12,500.00', 12_500],
  ['12.500,00 €', 12_500],
  ["CHF 12'500", 12_500],
  ['1 234 567', 1_234_567],
  ['340k', 340_000],
  ['1.2M USD', 1_200_000],
  ['12,500', 12_500],
  ['12,5', 12.5],
  ['1,234,567.89', 1_234_567.89],
  ['0', 0],
  ['', null],
  ['-5', null],
  ['n/a', null],
  ['1,2,3', null],
  ['1.234,567.8', null],
  ['1e9', null],
  ['9'.repeat(30), null],
])('the amount %j is %j', (text, amount) => expect(parseAmount(text)).toBe(amount))

it('tells plan, revenue and region by attributes of these names', () => {
  const attributes = { Plan: 'Enterprise', REVENUE: '$1,000', region: ' EMEA ', tags: 'x' }
  expect(toldBy({ author: null, attributes })).toEqual({ plan: 'Enterprise', revenue: 1000, region: 'EMEA' })
})
