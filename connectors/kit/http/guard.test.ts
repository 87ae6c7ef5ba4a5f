import * as http from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Unavailable } from '../errors.ts'
import { failureFrom, namesTo, startServer } from '../testing.ts'
import { guardedAgents, isAllowedAddress, parseAllowList } from './guard.ts'
import { createHttp } from './http.ts'

/** Each of these resolves to this machine. */
const loopback = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '127.0.0.1.',
  '0x7f.1',
  '0177.0.01',
  '127.000.000.001',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  '0x0',
  '00',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:0.0.0.0]',
]
const elsewhere = [
  '127.0.0.2',
  '127.255.255.254',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '192.168.1.254',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '169.254.170.2',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '192.88.99.1',
  '0.1.2.3',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::a00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:7f00:1::1]',
  '[2001:db8::1]',
  '[2001:2::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fdff::1]',
  '[ff02::1]',
  '[ff0e::1]',
  '[100::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[4000::1]',
  '[1::1]',
  '[e000::1]',
]

/** Names and their addresses. */
const names: Record<string, string[]> = {
  localhost: ['127.0.0.1'],
  'localhost.': ['127.0.0.1'],
  'app.localhost': ['127.0.0.1'],
  'v6.example.com': ['::1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'inside.example.com': ['127.0.0.1'],
  'first-public.example.com': ['93.184.216.34', '127.0.0.1'],
  'last-public.example.com': ['127.0.0.1', '2606:2800:220:1::1'],
  'metadata.example.com': ['169.254.169.254'],
  'none.example.com': [],
}
const nothingAllowed = parseAllowList([])
const guarded = (allow: string[] = []) => createHttp({ guard: { allow }, lookup: namesTo(names), timeoutMs: 5000 })

describe('the guard', () => {
  it.each(['http', 'https'])('connects to none of the private addresses over %s', async (scheme) => {
    await using server = await startServer()
    const hosts = [...loopback, ...elsewhere, ...Object.keys(names)]
    expect(new Set(hosts).size).toBeGreaterThanOrEqual(60)
    for (const host of hosts) {
      const url = `${scheme}://${host}:${server.port}/`
      const error = await failureFrom(guarded().request({ method: 'POST', url, body: 'x' }))
      const { kind, message, ledger } = error as Unavailable
      const reason = message.replace(/^.* is (private or reserved)\..*$/, '$1')
      expect({ host, kind, reason, status: ledger?.status }).toEqual({
        host,
        kind: 'unavailable',
        reason: 'private or reserved',
        status: null,
      })
    }
    expect(server.connections()).toBe(0)
  })

  it('is what blocks them: without it the same spellings of loopback connect', async () => {
    await using server = await startServer()
    const open = createHttp({ guard: null, lookup: namesTo(names), timeoutMs: 5000 })
    for (const host of loopback) {
      const { status } = await open.request({ method: 'GET', url: `http://${host}:${server.port}/` })
      expect({ host, status }).toEqual({ host, status: 200 })
    }
    expect(server.connections()).toBe(loopback.length)
  })

  it('checks each connection again, so a name that moves to a private address gains nothing', async () => {
    await using server = await startServer()
    const moving: Record<string, string[]> = { 'moving.example.com': ['127.0.0.1'] }
    const http = createHttp({ guard: { allow: ['127.0.0.0/8'] }, lookup: namesTo(moving) })
    const url = `http://moving.example.com:${server.port}/`
    expect((await http.request({ method: 'GET', url })).status).toBe(200)
    moving['moving.example.com'] = ['169.254.169.254']
    await expect(http.request({ method: 'GET', url })).rejects.toThrow(/private or reserved/)
    expect(server.connections()).toBe(1)
  })

  it('does not follow a redirect to a private address', async () => {
    await using target = await startServer()
    await using server = await startServer((_, response) => {
      response.writeHead(307, { location: target.url }).end()
    })
    const answer = await guarded(['127.0.0.1']).request({ method: 'POST', url: server.url, body: '{}' })
    expect(answer.status).toBe(307)
    expect(target.connections()).toBe(0)
  })

  it('works in the agents of node:http; fetch would bypass it', async () => {
    await using server = await startServer()
    const agents = guardedAgents(nothingAllowed)
    const direct = new Promise((resolve, reject) => {
      http.get(server.url, { agent: agents.http }, resolve).on('error', reject)
    })
    await expect(direct).rejects.toMatchObject({ code: 'EBLOCKED' })
    expect(server.connections()).toBe(0)
    const ignored = await fetch(server.url, { agent: agents.http } as RequestInit)
    expect(ignored.status).toBe(200)
  })
})

describe('the operator’s allow-list', () => {
  it.each([['127.0.0.1'], ['127.0.0.0/8'], ['inside.example.com'], ['::1', '127.0.0.1/32']])(
    'lets %s in',
    async (...allow) => {
      await using server = await startServer()
      const url = `http://inside.example.com:${server.port}/`
      expect((await guarded(allow).request({ method: 'GET', url })).status).toBe(200)
    },
  )

  it.each([['127.0.0.2'], ['10.0.0.0/8'], ['example.com'], ['side.example.com'], ['::1'], ['::/0']])(
    'blocks others with %s in it',
    async (...allow) => {
      await using server = await startServer()
      const url = `http://inside.example.com:${server.port}/`
      await expect(guarded(allow).request({ method: 'GET', url })).rejects.toThrow(/private or reserved/)
      expect(server.connections()).toBe(0)
    },
  )

  it('allows a name without allowing its address, with or without the dot at the end', async () => {
    await using server = await startServer()
    const http = guarded(['localhost'])
    expect((await http.request({ method: 'GET', url: `http://LOCALHOST:${server.port}/` })).status).toBe(200)
    expect((await http.request({ method: 'GET', url: `http://localhost.:${server.port}/` })).status).toBe(200)
    await expect(http.request({ method: 'GET', url: server.url })).rejects.toThrow(/private or reserved/)
  })

  it.each(['http://x', '10.0.0.0/33', 'a b', '*.example.com', '[::1', '-'])('refuses the entry %s', (entry) => {
    expect(() => parseAllowList([entry])).toThrow(entry)
  })

  it('accepts names, addresses and ranges, and skips blanks', () => {
    const list = parseAllowList([' Hooks.Internal ', '', '[fd00::1]', '10.1.0.0/16', '192.168.1.4'])
    expect([...list.hosts]).toEqual(['hooks.internal'])
    expect(['fd00::1', '10.1.2.3', '192.168.1.4'].map((address) => isAllowedAddress(address, list))).toEqual([
      true,
      true,
      true,
    ])
    expect(['fd00::2', '10.2.0.1', '192.168.1.5'].map((address) => isAllowedAddress(address, list))).toEqual([
      false,
      false,
      false,
    ])
  })
})

it.each([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '172.15.255.255',
  '169.253.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
])('allows the public address %s', (address) => {
  expect(isAllowedAddress(address, nothingAllowed)).toBe(true)
})
