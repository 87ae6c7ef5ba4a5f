import { describe, expect, it } from 'vitest'
import { openJira } from '../../jira/testing.ts'
import type { JiraSandbox } from './jira.ts'
import { REQUIRED_FIELDS } from './screens.ts'

type Answer = { id?: string; errors?: Record<string, string>; issues?: unknown[]; message?: string }

const basic = ({ signIns }: JiraSandbox) =>
  `Basic ${Buffer.from(`${signIns.email}:${signIns.apiToken}`).toString('base64')}`

async function ask(jira: JiraSandbox, method: string, path: string, json?: unknown, authorization = basic(jira)) {
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  const headers = { 'content-type': 'application/json', authorization }
  const response = await fetch(`${jira.url}${path}`, { method, headers, ...body })
  const text = await response.text()
  return { status: response.status, headers: response.headers, answer: (text ? JSON.parse(text) : {}) as Answer }
}

const text = { type: 'doc', version: 1, content: [] }
const TASK = { project: { id: '10000' }, issuetype: { id: '10001' }, summary: 'A title' }
const createdBy = (jira: JiraSandbox, fields: object) =>
  ask(jira, 'POST', '/rest/api/3/issue', { fields: { ...TASK, ...fields } })

describe('the stand-in', () => {
  it('answers only those who are signed in, and API tokens at the site only', async () => {
    await using jira = await openJira()
    const [{ id }] = jira.sites
    expect((await ask(jira, 'GET', '/rest/api/3/myself')).status).toBe(200)
    for (const authorization of ['', 'Bearer x', 'Basic x']) {
      expect((await ask(jira, 'GET', '/rest/api/3/myself', undefined, authorization)).status).toBe(401)
    }
    expect((await ask(jira, 'GET', `/ex/jira/${id}/rest/api/3/myself`)).status).toBe(401)
  })

  it('knows the sites that were allowed, and the paths that Jira has', async () => {
    await using jira = await openJira()
    expect((await ask(jira, 'GET', `/ex/jira/${jira.sites[1].id}/rest/api/3/myself`)).status).toBe(404)
    expect((await ask(jira, 'GET', '/rest/api/3/search?jql=x')).status).toBe(404)
    expect((await ask(jira, 'DELETE', '/rest/api/3/issue/1')).status).toBe(404)
  })

  it('treats an unknown token as an anonymous visitor’s, if set to', async () => {
    await using jira = await openJira()
    jira.signIns.anonymous = true
    const { status, headers, answer } = await ask(jira, 'POST', '/rest/api/3/search/jql', {}, 'Basic x')
    expect([status, headers.get('x-seraph-loginreason'), answer.issues]).toEqual([200, 'AUTHENTICATED_FAILED', []])
  })

  it('explains a sign-in that cannot be allowed', async () => {
    await using jira = await openJira()
    const query = {
      audience: 'api.atlassian.com',
      client_id: jira.signIns.clientId,
      redirect_uri: 'https://feedback.example.com/callback',
      response_type: 'code',
      scope: 'read:jira-work <b>',
      state: 's',
    }
    const page = async (given: Record<string, string>) => {
      const response = await fetch(`${jira.url}/authorize?${new URLSearchParams({ ...query, ...given }).toString()}`)
      return { status: response.status, html: await response.text() }
    }
    const { status, html } = await page({})
    expect(status).toBe(200)
    expect(html).toContain('fernweh.atlassian.net')
    expect(html).toContain('Read projects and issues')
    expect(html).not.toContain('<b>')
    const wrongs: Record<string, string>[] = [
      { audience: 'other' },
      { client_id: 'other' },
      { response_type: 'token' },
      { redirect_uri: 'javascript:alert(1)' },
      { scope: '' },
    ]
    for (const wrong of wrongs) {
      expect((await page(wrong)).status).toBe(400)
    }
  })
})

describe('creating an issue there', () => {
  it('gives it the next id and key', async () => {
    await using jira = await openJira()
    expect((await createdBy(jira, {})).answer).toMatchObject({ id: '10001', key: 'GROW-1' })
    expect((await createdBy(jira, { description: text, labels: ['a'] })).answer).toMatchObject({ key: 'GROW-2' })
  })

  it.each([
    [{ summary: '' }, 'summary'],
    [{ summary: 'two\nlines' }, 'summary'],
    [{ summary: 'x'.repeat(256) }, 'summary'],
    [{ summary: undefined }, 'summary'],
    [{ description: 'plain text' }, 'description'],
    [{ description: { ...text, content: [{ type: 'paragraph', text: 'x'.repeat(32_767) }] } }, 'description'],
    [{ labels: ['two words'] }, 'labels'],
    [{ labels: 'no list' }, 'labels'],
    [{ priority: { id: '99' } }, 'priority'],
    [{ assignee: { accountId: 'nobody' } }, 'assignee'],
    [{ customfield_10001: 'x' }, 'customfield_10001'],
    [{ project: { id: '5' } }, 'project'],
    [{ issuetype: { id: '5' } }, 'issuetype'],
    [{ issuetype: { id: '10003' } }, 'issuetype'],
  ])('with %j is refused, naming %s', async (fields, name) => {
    await using jira = await openJira()
    const { status, answer } = await createdBy(jira, fields)
    expect(status).toBe(400)
    expect(Object.keys(answer.errors ?? {})).toEqual([name])
    expect(jira.sites[0].issues).toEqual([])
  })

  it('needs every field that its type requires, each of its kind', async () => {
    await using jira = await openJira()
    const incident = { issuetype: { id: '10004' } }
    const { answer } = await createdBy(jira, incident)
    const ids = REQUIRED_FIELDS.map(({ fieldId }) => fieldId)
    expect(Object.keys(answer.errors ?? {})).toEqual(ids)
    const wrong = Object.fromEntries(ids.map((id) => [id, { a: 'wrong kind' }]))
    expect(Object.keys((await createdBy(jira, { ...incident, ...wrong })).answer.errors ?? {})).toEqual(ids)
  })
})

describe('searching there', () => {
  it('lags behind if set to, while an issue is read by its id at once', async () => {
    await using jira = await openJira()
    jira.sites[0].lag(true)
    const { id } = (await createdBy(jira, { labels: ['gs-1'] })).answer
    const found = async () =>
      (await ask(jira, 'POST', '/rest/api/3/search/jql', { jql: 'labels = "gs-1"' })).answer.issues
    expect(await found()).toEqual([])
    const bulk = await ask(jira, 'POST', '/rest/api/3/issue/bulkfetch', { issueIdsOrKeys: [id, '77'] })
    expect(bulk.answer.issues).toHaveLength(1)
    jira.sites[0].lag(false)
    expect(await found()).toHaveLength(1)
  })

  it('refuses queries that it does not know', async () => {
    await using jira = await openJira()
    for (const jql of ['', 'order by created', 'labels = x']) {
      expect((await ask(jira, 'POST', '/rest/api/3/search/jql', { jql })).status).toBe(400)
    }
  })
})

describe('faults', () => {
  it('happen once, in place of an answer', async () => {
    await using jira = await openJira()
    const status = async () =>
      (await fetch(`${jira.url}/rest/api/3/myself`, { headers: { authorization: basic(jira) } })).status
    jira.faults.arm('500')
    expect([await status(), await status()]).toEqual([500, 200])
    jira.faults.arm('429')
    const { status: limited, headers } = await ask(jira, 'GET', '/rest/api/3/myself')
    expect([limited, headers.get('retry-after')]).toEqual([429, '30'])
    expect(await status()).toBe(200)
  })

  it('after the creation of an issue leave it created', async () => {
    await using jira = await openJira()
    jira.faults.arm('malformed')
    expect((await ask(jira, 'GET', '/rest/api/3/myself')).status).toBe(200)
    expect((await createdBy(jira, {})).answer.id).toBeUndefined()
    jira.faults.arm('reset')
    await expect(createdBy(jira, {})).rejects.toThrow('fetch failed')
    expect(jira.sites[0].issues).toHaveLength(2)
  })
})

it('has webhooks for OAuth apps only', async () => {
  await using jira = await openJira()
  expect((await ask(jira, 'GET', '/rest/api/3/webhook')).status).toBe(403)
})
