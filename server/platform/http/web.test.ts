import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { silentLog } from '../log/log.ts'
import { createHttp } from './create.ts'

let folder: string
let app: FastifyInstance

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groundswell-web-'))
  const services = { config: readConfig({}), log: silentLog() }
  app = await createHttp(services, { handlers: [], authenticate: async () => null, webFolder: folder })
})

afterEach(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

async function build(page = '<script nonce="__CSP_NONCE__"></script><meta content="__CSP_NONCE__">'): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'assets', 'app-1a2b.js'), 'console.log(1)')
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'index.html'), page)
}

it('reports that there is no build yet, and serves one as soon as it exists', async () => {
  const before = await app.inject({ url: '/insights' })
  expect(before.statusCode).toBe(503)
  expect(before.body).toContain('npm run build')
  await build()
  expect((await app.inject({ url: '/insights' })).statusCode).toBe(200)
})

it.each(['/', '/insights?x=1', '/auth/auth-code-error', '/eval', '/comparisons', '/api/auth/oauth-callback', '/apix'])(
  'serves the page for the screen %s',
  async (url) => {
    await build()
    const answer = await app.inject({ url })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/html')
  },
)

it('puts a fresh nonce into every page and its policy', async () => {
  await build()
  const nonces = new Set<string>()
  for (let time = 0; time < 3; time += 1) {
    const { body, headers } = await app.inject({ url: '/' })
    const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? ''
    expect(body).toContain(`content="${nonce}"`)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain(`script-src 'self' 'nonce-${nonce}'`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['x-content-type-options']).toBe('nosniff')
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(3)
})

it('keeps files with a hash in their name for ever, compressed as the browser takes it', async () => {
  await build()
  const plain = await app.inject({ url: '/assets/app-1a2b.js' })
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(plain.body).toBe('console.log(1)')
  const br = await app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': 'gzip, br' } })
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe('console.log(1)')
  const gz = await app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': 'gzip, br;q=0' } })
  expect(gunzipSync(gz.rawPayload).toString()).toBe('console.log(1)')
  const etag = String(plain.headers.etag)
  expect((await app.inject({ url: '/assets/app-1a2b.js', headers: { 'if-none-match': etag } })).statusCode).toBe(304)
  expect((await app.inject({ url: '/favicon.svg' })).headers['cache-control']).toBe('no-cache')
})

it('has no page for a file that is missing, and no way out of its folder', async () => {
  await build()
  expect((await app.inject({ url: '/assets/gone.js' })).statusCode).toBe(404)
  for (const url of ['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/assets/..%2f..%2fetc%2fpasswd']) {
    expect((await app.inject({ url })).body).not.toContain('root:')
  }
})

it('notices a new build at the next page', async () => {
  await build('old')
  expect((await app.inject({ url: '/' })).body).toBe('old')
  await build('new')
  await utimes(join(folder, 'index.html'), new Date(), new Date(Date.now() + 5000))
  expect((await app.inject({ url: '/' })).body).toBe('new')
})

it('serves the files of the build before beside those of the new one, and one that is written after the page', async () => {
  await build('old')
  expect((await app.inject({ url: '/' })).body).toBe('old')
  await writeFile(join(folder, 'assets', 'app-3c4d.js'), 'console.log(2)')
  await build('new')
  await utimes(join(folder, 'index.html'), new Date(), new Date(Date.now() + 5000))
  expect((await app.inject({ url: '/' })).body).toBe('new')
  await writeFile(join(folder, 'assets', 'part-5e6f.js'), 'console.log(3)')
  for (const [name, body] of [
    ['app-1a2b.js', 'console.log(1)'],
    ['app-3c4d.js', 'console.log(2)'],
    ['part-5e6f.js', 'console.log(3)'],
  ]) {
    const answer = await app.inject({ url: `/assets/${name}` })
    expect([answer.statusCode, answer.body]).toEqual([200, body])
  }
})

it('refuses what is no reading of a screen', async () => {
  await build()
  const answer = await app.inject({ method: 'POST', url: '/insights' })
  expect([answer.statusCode, answer.json().code]).toEqual([405, 'method_not_allowed'])
})
