import { expect, test } from 'vitest'
import { Link } from './link.ts'
import { isWebAddress, MAX_LINK, safeLink } from './web-address.ts'

const GOOD = [
  'https://desk.example.com/1',
  'HTTP://desk.example.com',
  'https://example.com:8443/a?b=c#d',
  'https://example.com/@ann/1',
  'https://[::1]/x',
  'https://münchen.example/ä',
  'https://example.com/my file.pdf',
  'https://example.com/a\\b',
]
const BAD = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'JavaScript://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.example/x',
  '/settings',
  'desk.example.com',
  'https:',
  'https://',
  'https:///path',
  'https://?x',
  'https:evil.example',
  'https:\\\\evil.example',
  'https://exa mple.com',
  'https://example.com/\tx',
  'https://example.com/\nx',
  'https://example.com\n',
  'https://example.com:99999/',
  'https://example.com\\@evil.example/',
  'https://example.com/\ud800',
  'https://example.com/\u0000',
  'https://example.com/\u202egnp.exe',
  'https://bank.example@evil.example/',
  'https://user:secret@example.com',
  'ftp://example.com',
  '',
]

test.each(GOOD)('%j is an address of a web page', (address) => {
  expect(isWebAddress(address)).toBe(true)
  expect(safeLink(address)).toBe(address)
  expect(Link.safeParse(address).success).toBe(true)
})

test.each(BAD)('%j is none', (address) => {
  expect(isWebAddress(address)).toBe(false)
  expect(safeLink(address)).toBeNull()
  expect(Link.safeParse(address).success).toBe(false)
})

test('a link that is too long is dropped or refused', () => {
  const address = `https://example.com/${'x'.repeat(MAX_LINK)}`
  expect([safeLink(address.slice(0, MAX_LINK)), safeLink(address)]).toEqual([address.slice(0, MAX_LINK), null])
  expect(Link.safeParse(address).success).toBe(false)
})

test('nothing is no link', () => {
  expect([safeLink(null), safeLink(undefined), isWebAddress(null)]).toEqual([null, null, false])
})
