import { expect, it } from 'vitest'
import { isPrivateName, isRefusedAddress } from './address-check.ts'

const names: Record<string, string[]> = {
  'hooks.example.com': ['93.184.216.34'],
  'inside.example.com': ['10.0.0.7'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
}
const lookup = async (host: string) => {
  const found = names[host] ?? (/^[\d.]+$|:/.test(host) ? [host] : undefined)
  if (!found) throw new Error('ENOTFOUND')
  return found.map((address) => ({ address }))
}

it.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://10.1.2.3:8080/x',
  'http://[::1]/',
  'http://[::ffff:169.254.169.254]/latest/',
  'http://inside.example.com/',
  'https://mixed.example.com/',
])('%s is refused', async (url) => {
  expect(await isRefusedAddress(url, [], lookup)).toBe(true)
})

it.each([
  ['http://93.184.216.34/', []],
  ['https://hooks.example.com/a?b', []],
  ['https://nowhere.example.com/', []],
  ['http://127.0.0.1:9/', ['127.0.0.0/8']],
  ['http://inside.example.com./', ['inside.example.com']],
  ['http://inside.example.com/', ['10.0.0.0/8']],
])('%s is accepted with %j allowed', async (url, allow) => {
  expect(await isRefusedAddress(url, allow, lookup)).toBe(false)
})

it('nothing is refused while the resolver does not respond', async () => {
  expect(await isRefusedAddress('https://slow.example.com/', [], () => new Promise(() => undefined))).toBe(false)
})

it.each([
  ['https://idp/', [], true],
  ['https://idp.local/', [], true],
  ['https://LOCALHOST./', [], true],
  ['https://login.corp.internal/realms/a', [], true],
  ['https://router.home.arpa/', [], true],
  ['https://idp/', ['idp'], false],
  ['https://login.corp.internal/', ['login.corp.internal'], false],
  ['https://internal.example.com/', [], false],
  ['https://10.0.0.7/', [], false],
  ['https://[fd00::1]/', [], false],
])('the name in %s, with %j allowed, is private: %s', (url, allow, isPrivate) => {
  expect(isPrivateName(url, allow)).toBe(isPrivate)
})
