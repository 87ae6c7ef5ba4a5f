import type { AuditEntry } from '@groundswell/contract/audit.ts'
import { setFeedbackKind } from '@groundswell/contract/insights/kinds.ts'
import { routes } from '@groundswell/contract/routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { openConnection } from '../../platform/db/testing.ts'
import { handle } from '../../platform/http/handle.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { proves } from '../../platform/proves.ts'
import { allWorkspaces } from '../../platform/sweep/store.ts'
import { appOfFile, makeAdmin } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { connectionRoutes } from '../connections/index.ts'
import { settingsRoutes } from '../settings/index.ts'
import { syncsView } from '../syncs/index.ts'
import { audited } from './audited.ts'
import { wholeLog } from './export.ts'
import { forgetOld } from './jobs.ts'
import { recordIn } from './record.ts'
import { keepRetention } from './retention-store.ts'
import { auditRoutes } from './routes.ts'
import { eventsAbout } from './store.ts'

const PASSWORD = 'a long enough sentence'
const SETTINGS = { method: 'auto', min_inputs: 4, categories: [] }

let ann: TestPerson
let bo: TestPerson

const test = appOfFile((services) =>
  audited(services, [
    ...accountRoutes(services),
    ...auditRoutes(services),
    ...connectionRoutes(services, { syncs: syncsView }),
    ...settingsRoutes(services, { thresholdChanged: async () => undefined }),
    handle(setFeedbackKind, async ({ body }) => ({ ...body, before: { kind: null, set_by: 'engine' as const } })),
  ]),
)

beforeAll(async () => {
  ann = await test.person('ann', { password: PASSWORD })
  bo = await test.person('bo')
  for (const person of [ann, bo]) await makeAdmin(test, person)
})

const entriesOf = async (person: TestPerson, query = ''): Promise<AuditEntry[]> =>
  (await test.call('GET', `/api/admin/audit${query}`, { as: person })).json().entries

const save = (person: TestPerson) => test.call('POST', '/api/user/update-settings', { as: person, payload: SETTINGS })

describe('the audit log', () => {
  it('records who did what, to what, when and from where', async () => {
    proves('16.2.1')
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/145.0' }
    await test.call('POST', '/api/auth/login', { payload: { email: ann.email, password: PASSWORD }, headers })
    await test.call('POST', '/api/auth/login', {
      payload: { email: ann.email, password: 'wrong' },
      remoteAddress: '203.0.113.7',
    })
    await save(ann)
    const add = { as: ann, payload: { webhook: 'https://example.com/hook', client_token: 'my-hook-token' } }
    await test.call('POST', '/api/webhook/add', add)
    await test.call('POST', '/api/webhook/disconnect', { as: ann })
    const [disconnected, connected, saved, refused, started] = await entriesOf(ann)
    const mine = { actor: ann.email, actor_id: ann.accountId, account_id: ann.accountId }
    expect(disconnected).toMatchObject({ ...mine, action: 'connection.disconnected', target: 'webhook' })
    expect(connected).toMatchObject({ ...mine, action: 'connection.connected', target: 'webhook' })
    expect(saved).toMatchObject({ ...mine, action: 'settings.saved', target: null, address: '127.0.0.1' })
    expect(refused).toMatchObject({ action: 'session.refused', actor: '', actor_id: null, account_id: ann.accountId })
    expect(refused).toMatchObject({ target: ann.email, address: '203.0.113.7' })
    expect(started).toMatchObject({ ...mine, action: 'session.started', agent: headers['user-agent'] })
    expect(Math.abs(Date.parse(started?.at ?? '') - Date.now())).toBeLessThan(60_000)
  })

  it('does not tell of what was refused, and holds no secret', async () => {
    const before = (await entriesOf(ann)).length
    const bad = await test.call('POST', '/api/user/update-settings', { as: ann, payload: { min_inputs: 'x' } })
    expect(bad.statusCode).toBe(400)
    const entries = await entriesOf(ann)
    expect(entries).toHaveLength(before)
    const text = JSON.stringify(entries)
    for (const secret of [PASSWORD, 'my-hook-token', ann.token]) expect(text).not.toContain(secret)
  })

  it('shows an admin their own workspace only, and other people nothing', async () => {
    await save(bo)
    const [entries, others] = [await entriesOf(ann), await entriesOf(bo)]
    expect(entries.some(({ account_id }) => account_id === bo.accountId)).toBe(false)
    expect(others.some(({ account_id }) => account_id === ann.accountId)).toBe(false)
    const member = await test.person('member')
    for (const path of ['/api/admin/audit', '/api/admin/audit/export']) {
      expect((await test.call('GET', path, { as: member })).statusCode).toBe(403)
      expect((await test.call('GET', path)).statusCode).toBe(401)
    }
  })

  it('comes in pages without gaps, and by action and time', async () => {
    for (let time = 0; time < 120; time += 1) await save(bo)
    const first = (await test.call('GET', '/api/admin/audit', { as: bo })).json()
    expect(first.entries).toHaveLength(100)
    await save(bo)
    const rest = (await test.call('GET', `/api/admin/audit?cursor=${first.next_cursor}`, { as: bo })).json()
    const ids = [...first.entries, ...rest.entries].map((entry: AuditEntry) => entry.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect([...ids].sort((one, other) => Number(other) - Number(one))).toEqual(ids)
    expect(rest.next_cursor).toBeNull()
    const created = await entriesOf(bo, '?action=account.created')
    expect(created.map(({ account_id }) => account_id)).toEqual([bo.accountId])
    expect(await entriesOf(bo, '?since=2100-01-01T00:00:00Z')).toEqual([])
    expect(await entriesOf(bo, '?until=2000-01-01T00:00:00Z')).toEqual([])
  })

  it('is exported as CSV that no spreadsheet takes for formulas, and as JSONL', async () => {
    proves('5.4.1', '5.4.2')
    const headers = { 'user-agent': '=HYPERLINK("http://evil.example")\0' }
    await test.call('POST', '/api/auth/login', { payload: { email: ann.email, password: PASSWORD }, headers })
    const csv = await test.call('GET', '/api/admin/audit/export', { as: ann })
    expect(csv.headers['content-type']).toContain('text/csv')
    expect(csv.headers['content-disposition']).toContain('groundswell-audit.csv')
    expect(csv.body).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
    expect(csv.body.split('\r\n')[0]).toBe('id,at,action,actor,actor_id,account_id,target,detail,address,agent')
    const jsonl = await test.call('GET', '/api/admin/audit/export?format=jsonl', { as: ann })
    const lines = jsonl.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry)
    expect(lines[0]?.action).toBe('audit.exported')
    expect(lines.map(({ id }) => id)).toEqual((await entriesOf(ann)).slice(1).map(({ id }) => id))
  })

  it('shows entries of earlier versions without control characters, in every form', async () => {
    const wrong = 'two\r\nlines \u001b[2J\u202etxt'
    const right = 'two lines [2Jtxt'
    const entry = { action: 'controls.written', actorId: ann.accountId, accountId: ann.accountId, target: wrong }
    const fields = { ...entry, workspaceId: ann.workspaceId, actor: wrong, detail: { name: wrong, count: 1 } }
    await inWorkspace(test.services.db, ann.workspaceId, (tx) => recordIn(tx, new Date(), fields, null))
    expect((await entriesOf(ann, '?action=controls.written'))[0]).toMatchObject({
      target: right,
      actor: right,
      detail: { name: right, count: 1 },
    })
    const exports = ['csv', 'jsonl'].map((format) =>
      test.call('GET', `/api/admin/audit/export?action=controls.written&format=${format}`, { as: ann }),
    )
    const texts = (await Promise.all(exports)).map(({ body }) => body)
    for await (const one of wholeLog(test.services))
      if (one.action === 'controls.written') texts.push(String(one.target), JSON.stringify(one.detail))
    const about = await inWorkspace(test.services.db, ann.workspaceId, (tx) => eventsAbout(tx, ann.accountId))
    texts.push(JSON.stringify(about))
    for (const text of texts) {
      expect(text).toContain(right)
      for (const control of ['lines\r', '\\u001b', '\u001b', '\u202e']) expect(text).not.toContain(control)
    }
  })

  it('cannot be changed by the app, or shortened within the retention period', async () => {
    const count = async () => (await entriesOf(ann)).length
    const before = await count()
    expect(before).toBeGreaterThan(0)
    const app = await openConnection(test.database.appUrl)
    try {
      await app.query('select set_config($1, $2, false)', ['groundswell.workspace', ann.workspaceId])
      for (const statement of [
        'delete from audit_event',
        'update audit_event set actor = $$x$$',
        'truncate audit_event',
        'update audit_retention set days = 1',
        'delete from audit_retention',
      ]) {
        await expect(app.query(statement)).rejects.toThrow('permission denied')
      }
      for (const time of ['now()', `now() - interval '300 days'`, `'infinity'`]) {
        await expect(app.query(`select forget_audit_events(${time})`)).rejects.toThrow('retention period')
      }
    } finally {
      await app.end()
    }
    // A process clock that runs ahead cannot make the database delete early: the database's own clock counts.
    const ahead = { ...test.services, now: () => new Date(Date.now() + 400 * 24 * 3_600_000) }
    await expect(forgetOld(ahead)).rejects.toThrow('retention period')
    expect(await count()).toBe(before)
  })

  it('forgets what is past AUDIT_DAYS, once the owner of the tables has set them', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)
    for (const days of [29, 31, 400]) {
      const fields = { action: `test.${days}-days-ago`, actorId: null, accountId: null, workspaceId: ann.workspaceId }
      await inWorkspace(test.services.db, ann.workspaceId, (tx) => recordIn(tx, daysAgo(days), fields, null))
    }
    const left = async () =>
      (await entriesOf(ann)).map(({ action }) => action).filter((action) => action.startsWith('test.'))
    const keeping = { ...test.services, config: { ...test.services.config, auditDays: 30 } }
    await expect(forgetOld(keeping)).rejects.toThrow('retention period')
    expect(await left()).toHaveLength(3)
    await keepRetention(test.database.ownerUrl, keeping.config)
    expect(await forgetOld(keeping)).toBe(2)
    expect(await left()).toEqual(['test.29-days-ago'])
  })

  it('is whole for the operator, with what belongs to no workspace', async () => {
    await save(ann)
    await save(bo)
    await test.call('POST', '/api/auth/login', { payload: { email: 'nobody@example.com', password: 'my secret' } })
    const all: (AuditEntry & { workspace_id: string | null })[] = []
    for await (const entry of wholeLog(test.services)) all.push(entry)
    const places = new Set(all.map(({ workspace_id }) => workspace_id))
    const everyone = await inWorkspace(test.services.db, ann.workspaceId, allWorkspaces)
    expect(everyone).toEqual(expect.arrayContaining([ann.workspaceId, bo.workspaceId]))
    expect(places).toEqual(new Set([...everyone, null]))
    expect(all.at(-1)).toMatchObject({ action: 'session.refused', detail: { why: 'unknown address' }, target: null })
    expect(JSON.stringify(all)).not.toContain('nobody@example.com')
  })

  it('knows every call of the contract that changes something', () => {
    const unknown = routes.filter(({ method, audit }) => method !== 'GET' && audit === undefined)
    expect(unknown.map(({ name }) => name)).toEqual([])
  })

  it('names the target of an entry by a field that the call has', () => {
    const fieldsOf = (schema: z.ZodMiniType | undefined) =>
      Object.keys(schema ? (z.toJSONSchema(schema, { io: 'input' }).properties ?? {}) : {})
    const wrong = routes.filter(({ params, body, audit }) => {
      const target = typeof audit === 'object' ? audit.target : undefined
      return target !== undefined && ![...fieldsOf(params), ...fieldsOf(body)].includes(target)
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('names what was changed also where the body does', async () => {
    const payload = { mention: '12:0', kind: 'praise' }
    expect((await test.call('PUT', '/api/feedback-kind', { as: bo, payload })).statusCode).toBe(200)
    expect(await entriesOf(bo, '?action=mention.kind-set')).toMatchObject([{ target: '12:0' }])
  })
})
