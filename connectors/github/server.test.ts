import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { documentFor, failureFrom, startServer } from '../kit/testing.ts'
import { check } from './check.ts'
import { choices } from './choices.ts'
import { manifest } from './manifest.ts'
import { apiUrl } from './server.ts'
import { contextFor, openGitHub } from './testing.ts'
import { tracker } from './tracker.ts'

const TOKEN = 'github_pat_11AAAAAAA0abcdefghijkl'

/** A server, and a context whose only address is the one that was typed. */
async function onServer(version = '3.14.2') {
  const github = await openGitHub({ enterprise: version })
  const context: Context = { ...contextFor(github, { settings: { server: github.url } }), baseUrl: null }
  return { ...github, context }
}

describe('GitHub Enterprise Server', () => {
  it('is connected by token, as another account than the same number on GitHub.com', async () => {
    await using run = await onServer()
    const { id } = run.hub.person('ann')
    expect(await check(run.context)).toMatchObject({
      account: `user-${id}@${new URL(run.url).host}`,
      settings: { server: run.url, name: 'ann' },
    })
    await using dotCom = await openGitHub()
    expect(await check(contextFor(dotCom))).toMatchObject({ account: `user-${id}`, settings: { server: null } })
  })

  it('has everything under /api/v3 of its host, and its pages under the host', async () => {
    await using run = await onServer()
    const document = documentFor(randomUUID())
    expect((await choices(run.context, { search: {} })).map(({ field }) => field)).toContain('labels')
    const remote = await tracker.create(run.context, { document, reopen: false })
    expect(remote.url).toBe(`${run.url}/acme/support/issues/1`)
    expect(await tracker.find(run.context, document.marker)).toMatchObject({ id: remote.id })
    run.setState(remote.id, 'closed', 'completed')
    expect(await tracker.readStatus(run.context, [remote])).toEqual([
      { id: remote.id, state: 'closed', name: 'Completed' },
    ])
    expect(await tracker.update(run.context, remote, { document, reopen: true })).toMatchObject({ status: 'open' })
    expect(await tracker.verify(run.context)).toContain('acme/support')
    expect(run.paths.length).toBeGreaterThan(5)
    expect(run.paths.filter((path) => !path.startsWith('/api/v3/'))).toEqual([])
  })

  it.each(['3.8.20', '2.22.0'])('of version %s is refused with the version that is required', async (version) => {
    await using run = await onServer(version)
    expect(await failureFrom(check(run.context))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('3.9 or later'),
    })
  })

  it.each([
    [200, '{}'],
    [404, '{"message":"Not Found"}'],
  ])('is not what answers %s without a version', async (status, body) => {
    await using server = await startServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    await using run = await onServer()
    const context = { ...run.context, settings: { server: server.url } }
    expect(await failureFrom(check(context))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('no GitHub Enterprise Server at this address'),
    })
  })
})

describe('GitHub Enterprise Cloud with data residency', () => {
  const settings = { server: 'https://acme.ghe.com' }

  it('has its API on a host of its own, without /api/v3', () => {
    expect(apiUrl({ settings, baseUrl: null })).toBe('https://api.acme.ghe.com')
    expect(apiUrl({ settings: { server: 'https://acme.ghe.com.example.com' }, baseUrl: null })).toBe(
      'https://acme.ghe.com.example.com/api/v3',
    )
  })

  it('is connected without a version of GitHub Enterprise Server, as an account of its host', async () => {
    await using github = await openGitHub()
    const context = contextFor(github, { settings })
    const { id } = github.hub.person('ann')
    expect(await check(context)).toMatchObject({ account: `user-${id}@acme.ghe.com`, settings })
    expect(github.paths).toEqual(['/user'])
    expect(await tracker.verify(context)).toContain('acme/support')
    const remote = await tracker.create(context, { document: documentFor(randomUUID()), reopen: false })
    expect(await tracker.readStatus(context, [remote])).toMatchObject([{ id: remote.id, state: 'open' }])
    expect(github.paths.filter((path) => path.startsWith('/api/v3/'))).toEqual([])
  })
})

describe('the address of a server in the form', () => {
  it.each([
    ['https://github.example.com', 'https://github.example.com'],
    [' https://GitHub.example.com:8443/ ', 'https://github.example.com:8443'],
    ['https://acme.ghe.com', 'https://acme.ghe.com'],
    ['https://api.Acme.ghe.com/', 'https://acme.ghe.com'],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %j', (server, origin) => {
    expect(manifest.form.parse({ token: TOKEN, server })['server']).toBe(origin)
  })

  it.each([
    'github.example.com',
    'ftp://github.example.com',
    'https://github.example.com/api/v3',
    'https://ann:secret@github.example.com',
    'https://github.example.com/?a=b',
  ])('%j is refused', (server) => {
    expect(manifest.form.safeParse({ token: TOKEN, server }).success).toBe(false)
  })
})
