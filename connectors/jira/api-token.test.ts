import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { failureFrom } from '../kit/testing.ts'
import { check } from './check.ts'
import { manifest } from './manifest.ts'
import { contextFor, openJira } from './testing.ts'
import { tracker } from './tracker.ts'

describe('the form', () => {
  const form = { host: 'acme.atlassian.net', email: 'ann@acme.example', api_token: 'ATATT3x-0123456789' }

  it.each([
    ['acme.atlassian.net', 'acme.atlassian.net'],
    ['  Acme-2.Atlassian.net ', 'acme-2.atlassian.net'],
    ['https://acme.atlassian.net/jira/software/projects/X', 'acme.atlassian.net'],
    ['https://acme.atlassian.net?x=1', 'acme.atlassian.net'],
  ])('takes the site %j as %j', (host, read) => {
    expect(manifest.form.parse({ ...form, host })).toEqual({ ...form, host: read })
  })

  it.each([
    'acme',
    'acme.example.com',
    'acme.atlassian.net.evil.example',
    'evil.example/acme.atlassian.net',
    'https://evil.example/?x=.atlassian.net',
    'https://acme.atlassian.net@evil.example/',
    'https://ann:secret@acme.atlassian.net/',
    'http://acme.atlassian.net',
    'a.b.atlassian.net',
    'acme.atlassian.net:8443',
    '127.0.0.1',
    'localhost',
    '.atlassian.net',
    `${'x'.repeat(200)}.atlassian.net`,
  ])('refuses the site %j', (host) => {
    expect(manifest.form.safeParse({ ...form, host }).success).toBe(false)
  })

  it.each([
    { email: 'no address' },
    { email: 'ann:x@acme.example' },
    { api_token: 'short' },
    { api_token: 'with a space in it' },
    { api_token: 'x'.repeat(1025) },
  ])('refuses %j', (wrong) => {
    expect(manifest.form.safeParse({ ...form, ...wrong }).success).toBe(false)
  })

  it('seals the token only', () => {
    expect(manifest.secretFields).toEqual(['api_token'])
  })
})

describe('an API token', () => {
  it('belongs to a site, whose address is on the tile', async () => {
    await using jira = await openJira()
    const context = contextFor(jira)
    const { account, settings, secrets } = await check(context)
    expect(account).toBe('fernweh.atlassian.net')
    expect(settings).toEqual({ host: 'fernweh.atlassian.net', email: jira.signIns.email })
    expect(secrets).toEqual({ api_token: jira.signIns.apiToken })
    expect(manifest.describe(settings, secrets).name).toBe('fernweh.atlassian.net')
    expect(jira.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /rest/api/3/myself'])
  })

  it('is sent to the site itself', async () => {
    await using jira = await openJira()
    const urls: string[] = []
    const http: Context['http'] = {
      request: ({ url }) => {
        urls.push(url)
        return Promise.reject(new Rejected('not sent'))
      },
    }
    await failureFrom(check({ ...contextFor(jira), baseUrl: null, http }))
    expect(urls).toEqual(['https://fernweh.atlassian.net/rest/api/3/myself'])
  })

  it('for an address without a Jira is refused', async () => {
    await using jira = await openJira()
    jira.sites[0].suspended = true
    expect(await failureFrom(check(contextFor(jira)))).toMatchObject({
      kind: 'rejected',
      message: 'There is no Jira at fernweh.atlassian.net',
    })
  })

  it('that Jira does not know is refused', async () => {
    await using jira = await openJira()
    const error = await failureFrom(check(contextFor(jira, { secrets: { api_token: 'wrong-token-wrong' } })))
    expect(error).toBeInstanceOf(AuthExpired)
    expect(JSON.stringify(error)).not.toContain('wrong-token')
  })

  it('that is treated as an anonymous visitor’s is refused, so that no issue looks gone', async () => {
    await using jira = await openJira()
    const context = contextFor(jira, { secrets: { api_token: 'wrong-token-wrong' } })
    jira.signIns.anonymous = true
    const remote = { id: '10001', url: null, label: 'GROW-1', status: 'open' as const, statusName: null, data: {} }
    const calls = [() => tracker.readStatus(context, [remote]), () => tracker.find(context, 'm'), () => check(context)]
    for (const call of calls) {
      expect(await failureFrom(call())).toBeInstanceOf(AuthExpired)
    }
  })

  it('without a site is not used', async () => {
    await using jira = await openJira()
    for (const settings of [{ host: undefined }, { host: 'evil.example' }]) {
      expect(await failureFrom(check(contextFor(jira, { settings })))).toBeInstanceOf(Rejected)
    }
    expect(await failureFrom(check(contextFor(jira, { secrets: {} })))).toBeInstanceOf(Rejected)
    expect(jira.calls).toEqual([])
  })
})
