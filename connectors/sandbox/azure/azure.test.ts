import { describe, expect, it } from 'vitest'
import { openAzure } from '../../azure/testing.ts'
import type { AzureSandbox } from './azure.ts'
import { matchTemplate } from './routes.ts'

type Asked = { method?: string; body?: unknown; type?: string; authorization?: string; version?: string | null }

async function ask(azure: AzureSandbox, path: string, given: Asked = {}) {
  const { method = 'GET', body, type = 'application/json', version = '7.1' } = given
  const basic = `Basic ${Buffer.from(`:${azure.signIns.pat}`).toString('base64')}`
  const url = `${azure.url}${path}${version === null ? '' : `${path.includes('?') ? '&' : '?'}api-version=${version}`}`
  const response = await fetch(url, {
    method,
    headers: { authorization: given.authorization ?? basic, 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const answer = (text === '' ? null : JSON.parse(text)) as Record<string, unknown> | null
  return { status: response.status, headers: response.headers, answer }
}

const PATCH = 'application/json-patch+json'
const TITLE = { op: 'add', path: '/fields/System.Title', value: 'A title' }
const createPath = ({ account }: AzureSandbox) => `/fabrikam/${account.project(0).id}/_apis/wit/workitems/$Issue`

describe('the stand-in for Azure DevOps', () => {
  it('refuses other credentials, organisations, paths and versions', async () => {
    await using azure = await openAzure()
    const projects = '/fabrikam/_apis/projects'
    expect((await ask(azure, projects)).answer).toMatchObject({ count: 2, value: [{ name: 'Fernweh' }, {}] })
    expect((await ask(azure, projects, { authorization: 'Basic eA==' })).status).toBe(401)
    expect((await ask(azure, projects, { authorization: `Bearer ${azure.signIns.pat}` })).status).toBe(401)
    expect((await ask(azure, '/contoso/_apis/projects')).answer).toMatchObject({ typeKey: 'HostNotFoundException' })
    expect((await ask(azure, '/fabrikam/_apis/other')).status).toBe(404)
    for (const version of [null, '5.0']) {
      expect((await ask(azure, projects, { version })).answer).toMatchObject({
        typeKey: 'VssInvalidPreviewVersionException',
      })
    }
  })

  it('creates an item by a patch of its own media type only', async () => {
    await using azure = await openAzure()
    const create = (body: unknown, type = PATCH) => ask(azure, createPath(azure), { method: 'POST', body, type })
    expect((await create([TITLE])).answer).toMatchObject({
      id: 1,
      fields: { 'System.Title': 'A title', 'System.State': 'To Do', 'System.TeamProject': 'Fernweh' },
    })
    expect((await create([TITLE], 'application/json')).status).toBe(415)
    for (const body of [
      [],
      {},
      [{ ...TITLE, op: 'remove' }],
      [{ ...TITLE, path: '/other' }],
      [{ ...TITLE, value: '' }],
      [{ ...TITLE, value: 'x'.repeat(256) }],
    ]) {
      expect((await create(body)).status).toBe(400)
    }
    expect(azure.account.items).toHaveLength(1)
  })

  it('only checks an item where it is asked to', async () => {
    await using azure = await openAzure()
    const path = `${createPath(azure)}?validateOnly=true`
    const { status, answer } = await ask(azure, path, { method: 'POST', body: [TITLE], type: PATCH })
    expect([status, answer?.['id']]).toEqual([200, -1])
    expect((await ask(azure, path, { method: 'POST', body: [{ ...TITLE, value: '' }], type: PATCH })).status).toBe(400)
    expect(azure.account.items).toEqual([])
  })

  it('leaves missing items out of a batch, or fails', async () => {
    await using azure = await openAzure()
    await ask(azure, createPath(azure), { method: 'POST', body: [TITLE], type: PATCH })
    const path = '/fabrikam/_apis/wit/workitemsbatch'
    const body = { ids: [1, 2], fields: ['System.State'], errorPolicy: 'omit' }
    expect((await ask(azure, path, { method: 'POST', body })).answer).toMatchObject({
      value: [{ id: 1, fields: { 'System.State': 'To Do' } }, null],
    })
    const failed = await ask(azure, path, { method: 'POST', body: { ...body, errorPolicy: 'fail' } })
    expect(failed.answer).toMatchObject({ message: expect.stringMatching(/^TF401232: Work item 2/) })
  })

  it('refuses a query that it does not understand', async () => {
    await using azure = await openAzure()
    const path = '/fabrikam/_apis/wit/wiql'
    const { status } = await ask(azure, path, { method: 'POST', body: { query: 'Everything, please' } })
    expect(status).toBe(400)
  })

  it('never returns the password of a service hook, and refuses one without an address', async () => {
    await using azure = await openAzure()
    const path = '/fabrikam/_apis/hooks/subscriptions'
    const body = {
      eventType: 'workitem.updated',
      publisherInputs: { projectId: azure.account.project(0).id },
      consumerInputs: { url: 'https://feedback.example.com/', basicAuthPassword: 'a secret' },
    }
    const made = await ask(azure, path, { method: 'POST', body })
    expect(made.answer).toMatchObject({ status: 'enabled', consumerInputs: { basicAuthPassword: '********' } })
    expect(JSON.stringify((await ask(azure, path)).answer)).not.toContain('a secret')
    expect((await ask(azure, path, { method: 'POST', body: { ...body, consumerInputs: {} } })).status).toBe(400)
    expect((await ask(azure, `${path}/unknown`, { method: 'DELETE' })).status).toBe(404)
  })

  it('explains a sign-in that cannot be allowed', async () => {
    await using azure = await openAzure()
    const authorize = async (tenant: string, query: Record<string, string>) => {
      const response = await fetch(
        `${azure.url}/${tenant}/oauth2/v2.0/authorize?${new URLSearchParams(query).toString()}`,
      )
      return [response.status, await response.text()] as const
    }
    const { tenant, clientId } = azure.signIns
    const query = {
      client_id: clientId,
      redirect_uri: 'https://feedback.example.com/',
      response_type: 'code',
      scope: '499b84ac-1321-427f-aa17-267ca6975798/.default offline_access',
    }
    expect((await authorize(tenant, query))[0]).toBe(200)
    for (const [given, wrong, words] of [
      ['other', {}, 'no such tenant'],
      [tenant, { client_id: 'x' }, 'The client ID'],
      [tenant, { redirect_uri: 'javascript:x' }, 'The address'],
      [tenant, { response_type: 'token' }, 'The response type'],
      [tenant, { scope: 'openid' }, 'No permissions'],
    ] as const) {
      const [status, page] = await authorize(given, { ...query, ...wrong })
      expect(status).toBe(400)
      expect(page).toContain(words)
    }
  })
})

it.each([
  ['/{organization}/_apis/projects', '/fabrikam/_apis/projects', ['fabrikam']],
  ['/{organization}/_apis/projects', '/fabrikam/_apis/other', null],
  ['/{organization}/_apis/projects', '/fabrikam/_apis/projects/1', null],
  ['/{organization}/_apis/projects', '//_apis/projects', null],
  ['/wit/workitems/${type}', '/wit/workitems/$Customer%20Problem', ['Customer Problem']],
  ['/wit/workitems/${type}', '/wit/workitems/5', null],
])('%s matches %s as %j', (template, path, parts) => {
  expect(matchTemplate(template, path)).toEqual(parts)
})
