import { describe, expect, it } from 'vitest'
import { appToken } from '../../github/app-token.ts'
import { installed, opened, openGitHub, supportOf } from '../../github/testing.ts'

type Sent = { token?: string; method?: string; json?: unknown }

async function send(base: string, path: string, { token, method = 'GET', json }: Sent = {}) {
  const response = await fetch(`${base}${path}`, {
    method,
    redirect: 'manual',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : (JSON.parse(text) as unknown),
  }
}

const ISSUES = '/repos/acme/support/issues'

describe('the stand-in for GitHub', () => {
  it('refuses requests without a valid token', async () => {
    await using github = await openGitHub()
    for (const token of [undefined, 'made-up', '']) {
      const sent = token === undefined ? {} : { token }
      expect(await send(github.url, '/user', sent)).toMatchObject({ status: 401, body: { message: 'Bad credentials' } })
    }
    expect(await send(github.url, '/user', { token: github.signIns.token })).toMatchObject({
      status: 200,
      body: { login: 'ann' },
    })
  })

  it('pages a list, newest first, with a link to the next page', async () => {
    await using github = await openGitHub()
    const { token } = github.signIns
    for (let at = 0; at < 5; at += 1)
      await send(github.url, ISSUES, { token, method: 'POST', json: { title: `${at}` } })
    const page = await send(github.url, `${ISSUES}?per_page=2&page=2`, { token })
    expect((page.body as { title: string }[]).map(({ title }) => title)).toEqual(['2', '1'])
    expect(page.headers.get('link')).toBe(`<${github.url}${ISSUES}?per_page=2&page=3>; rel="next"`)
    const last = await send(github.url, `${ISSUES}?per_page=2&page=3`, { token })
    expect(last.headers.get('link')).toBeNull()
  })

  it('filters a list by state, creator, label and time', async () => {
    await using run = await opened()
    const { url, hub, support } = run
    const { token } = run.signIns
    const first = await run.create()
    run.advance(60)
    const second = hub.open(support, hub.person('ben'), { title: 'x', body: 'x', labels: ['bug'] })
    run.setState(first.id, 'closed', 'completed')
    const ids = async (query: string) =>
      ((await send(url, `${ISSUES}?${query}`, { token })).body as { id: number }[]).map(({ id }) => id)
    expect(await ids('')).toEqual([second.id])
    expect(await ids('state=all')).toEqual([second.id, Number(first.id)])
    expect(await ids('state=all&direction=asc')).toEqual([Number(first.id), second.id])
    expect(await ids('state=closed')).toEqual([Number(first.id)])
    expect(await ids('state=all&creator=ben')).toEqual([second.id])
    expect(await ids('state=all&labels=bug')).toEqual([second.id])
    expect(await ids(`state=all&since=${new Date(hub.now() + 60_000).toISOString()}`)).toEqual([])
  })

  it('refuses texts that are too long, titles that are missing and people who cannot be assigned', async () => {
    await using github = await openGitHub()
    const { token } = github.signIns
    const wrong = [
      {},
      { title: '' },
      { title: 'x'.repeat(257) },
      { title: 'x', body: 'x'.repeat(65_537) },
      { title: 'x', assignees: ['zoe'] },
    ]
    for (const json of wrong) {
      expect((await send(github.url, ISSUES, { token, method: 'POST', json })).status).toBe(422)
    }
    expect(supportOf(github).issues).toEqual([])
    const longest = { title: 'x'.repeat(256), body: 'x'.repeat(65_536), assignees: ['ben'] }
    expect((await send(github.url, ISSUES, { token, method: 'POST', json: longest })).status).toBe(201)
  })

  it('drops the labels and assignees of issues that readers create', async () => {
    await using github = await openGitHub()
    const { token } = github.signIns
    const support = supportOf(github)
    support.role = 'read'
    const json = { title: 'x', labels: ['bug'], assignees: ['ben'] }
    expect((await send(github.url, ISSUES, { token, method: 'POST', json })).status).toBe(201)
    expect(support.issues).toMatchObject([{ labels: [], assignees: [] }])
  })

  it('tells deleted, transferred and hidden issues apart as GitHub does', async () => {
    await using run = await opened()
    const { token } = run.signIns
    const [one, two, three] = [await run.create(), await run.create(), await run.create()]
    run.remove(one.id)
    const moved = run.transfer(two.id, run.hub.addRepository('acme', 'app'))
    run.transfer(three.id, run.hide())
    expect(await send(run.url, `${ISSUES}/1`, { token })).toMatchObject({ status: 410 })
    expect((await send(run.url, `${ISSUES}/3`, { token })).status).toBe(404)
    expect((await send(run.url, `${ISSUES}/99`, { token })).status).toBe(404)
    const redirect = await send(run.url, `${ISSUES}/2`, { token })
    expect(redirect.status).toBe(301)
    const target = new URL(redirect.headers.get('location') ?? '')
    expect(await send(run.url, target.pathname, { token })).toMatchObject({
      status: 200,
      body: { id: moved.id, number: 1, repository_url: `${run.url}/repos/acme/app` },
    })
  })

  it('redirects from the former name of a repository: 301 for reading, 307 for writing', async () => {
    await using run = await opened()
    run.hub.rename(run.support, 'helpdesk')
    const { token } = run.signIns
    const read = await send(run.url, `${ISSUES}?state=all`, { token })
    expect(read.status).toBe(301)
    expect(read.headers.get('location')).toBe(`${run.url}/repositories/${run.support.id}/issues?state=all`)
    expect((await send(run.url, ISSUES, { token, method: 'POST', json: { title: 'x' } })).status).toBe(307)
    expect(run.support.issues).toEqual([])
  })

  it('counts the requests of the hour, and refuses what is over', async () => {
    await using github = await openGitHub()
    const { token } = github.signIns
    const first = await send(github.url, '/user', { token })
    expect(first.headers.get('x-ratelimit-remaining')).toBe('4999')
    github.limits.exhaust(600)
    const refused = await send(github.url, '/user', { token })
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('rate limit exceeded') } })
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    github.advance(601)
    expect((await send(github.url, '/user', { token })).status).toBe(200)
  })

  it('takes 80 issues and comments a minute', async () => {
    await using run = await opened()
    const { token } = run.signIns
    const sent = { token, method: 'POST', json: { title: 'x' } }
    for (let at = 0; at < 80; at += 1) expect((await send(run.url, ISSUES, sent)).status).toBe(201)
    const refused = await send(run.url, ISSUES, sent)
    expect(refused.status).toBe(403)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await send(run.url, `${ISSUES}/1`, { token, method: 'PATCH', json: { body: 'y' } })).status).toBe(200)
    run.advance(61)
    expect((await send(run.url, ISSUES, sent)).status).toBe(201)
  })

  it('creates the issue before it fails to say so', async () => {
    await using run = await opened()
    const { token } = run.signIns
    for (const fault of ['reset', 'malformed'] as const) {
      run.faults.arm(fault)
      expect((await send(run.url, ISSUES, { token })).status).toBe(200)
      await send(run.url, ISSUES, { token, method: 'POST', json: { title: fault } }).catch(() => null)
    }
    expect(run.support.issues.map(({ title }) => title)).toEqual(['reset', 'malformed'])
  })
})

describe('the stand-in’s app', () => {
  it('is itself only by a token that its key signed, for ten minutes at most', async () => {
    await using run = await installed()
    const path = `/app/installations/${run.installation.id}/access_tokens`
    const mint = async (token: string) => (await send(run.url, path, { token, method: 'POST', json: {} })).status
    const token = appToken(run.app, new Date())
    const [header = '', claims = '', signature = ''] = token.split('.')
    expect(await mint(token)).toBe(201)
    expect(await mint(appToken(run.app, new Date(Date.now() - 600_000)))).toBe(401)
    expect(await mint(appToken(run.app, new Date(Date.now() + 600_000)))).toBe(401)
    expect(await mint(appToken({ ...run.app, app_id: '1' }, new Date()))).toBe(401)
    expect(await mint(`${header}.${claims}.${signature.slice(0, -8)}AAAAAAAA`)).toBe(401)
    expect(await mint(run.signIns.token)).toBe(403)
  })

  it('may do what its installation may, until it is removed', async () => {
    await using run = await installed()
    const token = run.context.secrets['access_token'] ?? ''
    expect((await send(run.url, '/user', { token })).status).toBe(403)
    expect((await send(run.url, '/installation/repositories', { token })).status).toBe(200)
    run.installation.issues = 'read'
    expect((await send(run.url, ISSUES, { token })).status).toBe(200)
    expect((await send(run.url, ISSUES, { token, method: 'POST', json: { title: 'x' } })).status).toBe(403)
    run.uninstall(run.installation)
    expect((await send(run.url, ISSUES, { token })).status).toBe(401)
  })

  it('shows no page for another app, or without an address to return to', async () => {
    await using github = await openGitHub()
    const statusOf = async (path: string) => (await fetch(`${github.url}${path}`)).status
    expect(await statusOf('/apps/sandbox-groundswell/installations/new')).toBe(400)
    github.signIns.callbackUrl = 'https://fb.example/'
    expect(await statusOf('/apps/sandbox-groundswell/installations/new')).toBe(200)
    expect(await statusOf('/apps/other/installations/new')).toBe(400)
    expect(await statusOf('/login/oauth/authorize?client_id=other')).toBe(400)
    expect(await statusOf(`/login/oauth/authorize?client_id=${github.signIns.clientId}&redirect_uri=no`)).toBe(400)
  })
})
