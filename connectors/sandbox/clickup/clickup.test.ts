import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openClickUp } from '../../clickup/testing.ts'
import { startServer } from '../../kit/testing.ts'
import type { ClickUpSandbox } from './clickup.ts'

/** A request with the API token; the status and the JSON of its response. */
async function ask({ url, signIns }: ClickUpSandbox, method: string, path: string, json?: unknown) {
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  const response = await fetch(`${url}/api/v2${path}`, {
    method,
    headers: { authorization: signIns.apiToken },
    ...body,
  })
  return {
    status: response.status,
    headers: response.headers,
    answer: (await response.json()) as Record<string, unknown>,
  }
}

const create = (clickup: ClickUpSandbox, json: Record<string, unknown> = {}) =>
  ask(clickup, 'POST', `/list/${clickup.account.list.id}/task`, { name: 'A task', ...json })

describe('the stand-in for ClickUp', () => {
  it('knows its own tokens only, and none once they ended', async () => {
    await using clickup = await openClickUp()
    const get = (authorization: string) => fetch(`${clickup.url}/api/v2/user`, { headers: { authorization } })
    expect((await get(clickup.signIns.apiToken)).status).toBe(200)
    expect((await get(`Bearer ${clickup.signIns.apiToken}`)).status).toBe(401)
    const refused = await get('pk_1_OTHER')
    expect([refused.status, await refused.json()]).toEqual([401, { err: 'Token invalid', ECODE: 'OAUTH_025' }])
    clickup.signIns.end()
    expect((await get(clickup.signIns.apiToken)).status).toBe(401)
  })

  it.each([
    ['GET', '/team/1/space', 401, 'OAUTH_027'],
    ['GET', '/space/1/list', 404, 'ITEM_013'],
    ['GET', '/folder/1/list', 404, 'ITEM_013'],
    ['GET', '/list/1', 404, 'ITEM_013'],
    ['GET', '/task/86none', 404, 'ITEM_013'],
    ['PUT', '/comment/1', 404, 'ITEM_013'],
    ['DELETE', '/webhook/none', 404, 'ITEM_013'],
    ['GET', '/nothing', 404, 'APP_001'],
  ])('refuses %s %s', async (method, path, status, ECODE) => {
    await using clickup = await openClickUp()
    expect(await ask(clickup, method, path)).toMatchObject({ status, answer: { ECODE } })
  })

  it('validates new tasks as ClickUp does', async () => {
    await using clickup = await openClickUp()
    for (const json of [
      { name: '' },
      { status: 'unknown' },
      { assignees: [1] },
      { custom_fields: [{ id: 'unknown', value: 'x' }] },
    ]) {
      expect((await create(clickup, json)).status).toBe(400)
    }
    expect(clickup.account.tasks).toEqual([])
    expect((await create(clickup, { tags: ['GS-Abc'] })).answer).toMatchObject({
      tags: ['gs-abc'],
      status: { type: 'open' },
    })
  })

  it('lists closed tasks only when asked to, by any of the tags, and in their home list', async () => {
    await using clickup = await openClickUp()
    const { id } = (await create(clickup, { tags: ['a'] })).answer
    await create(clickup, { tags: ['b'] })
    await create(clickup)
    clickup.setStatus(String(id), 'closed')
    const list = clickup.account.list.id
    const count = async (path: string) => ((await ask(clickup, 'GET', path)).answer['tasks'] as unknown[]).length
    expect(await count(`/list/${list}/task`)).toBe(2)
    expect(await count(`/list/${list}/task?include_closed=true`)).toBe(3)
    expect(await count(`/list/${list}/task?include_closed=true&tags[]=a&tags[]=b`)).toBe(2)
    clickup.move(String(id), clickup.account.space.lists[1]?.id)
    expect(await count(`/list/${list}/task?include_closed=true`)).toBe(2)
    expect(await count(`/team/${clickup.account.team(0).id}/task?include_closed=true`)).toBe(3)
    expect(await count(`/team/${clickup.account.team(1).id}/task?include_closed=true`)).toBe(0)
  })

  it('counts requests by the minute', async () => {
    await using clickup = await openClickUp()
    clickup.budget.limit = 1
    expect((await ask(clickup, 'GET', '/user')).headers.get('x-ratelimit-remaining')).toBe('0')
    const refused = await ask(clickup, 'GET', '/user')
    expect(refused).toMatchObject({ status: 429, answer: { ECODE: 'APP_002' } })
    expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThan(1e9)
    clickup.advance(61)
    expect((await ask(clickup, 'GET', '/user')).status).toBe(200)
  })

  it('signs events with the secret of the webhook, and sends none to a suspended one', async () => {
    await using clickup = await openClickUp()
    await using server = await startServer()
    const { account, webhooks } = clickup
    const path = `/team/${account.team(0).id}/webhook`
    const json = { endpoint: `${server.url}/hook`, events: ['taskDeleted'], list_id: Number(account.list.id) }
    expect((await ask(clickup, 'POST', path, json)).status).toBe(200)
    expect((await ask(clickup, 'POST', path, json)).answer).toMatchObject({
      err: 'Webhook configuration already exists',
    })
    const first = String((await create(clickup)).answer['id'])
    const second = String((await create(clickup)).answer['id'])
    clickup.setStatus(first, 'closed')
    clickup.remove(first)
    webhooks.suspend()
    clickup.remove(second)
    await webhooks.settled()
    expect(webhooks.replies).toEqual([200])
    const [{ body, headers } = { body: '', headers: {} as Record<string, string> }] = server.seen
    expect(JSON.parse(body)).toMatchObject({ event: 'taskDeleted', task_id: first })
    const secret = webhooks.all()[0]?.secret ?? ''
    expect(headers['x-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
  })

  it.each([
    ['another app', { client_id: 'other' }],
    ['no address', { redirect_uri: 'javascript:alert(1)' }],
  ])('explains on its consent page what is wrong: %s', async (_, given) => {
    await using clickup = await openClickUp()
    const right = { client_id: clickup.signIns.clientId, redirect_uri: 'https://feedback.example.com/', state: '<s>' }
    const page = (values: Record<string, string>) =>
      fetch(`${clickup.url}/api?${new URLSearchParams(values).toString()}`)
    expect((await page({ ...right, ...given })).status).toBe(400)
    const shown = await page(right)
    expect([shown.status, (await shown.text()).includes('&lt;s&gt;')]).toEqual([200, true])
  })
})
