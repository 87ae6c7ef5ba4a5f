import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountRoutes } from '../../features/accounts/index.ts'
import { apiKeyRoutes } from '../../features/api-keys/index.ts'
import { feedbackRoutes } from '../../features/feedback/index.ts'
import { settingsRoutes } from '../../features/settings/index.ts'
import { teamRoutes } from '../../features/team/index.ts'
import { withCaches } from '../../platform/caches.ts'
import { type TestApp, type TestPerson, testApp } from '../../platform/http/testing.ts'
import { authenticate, authProtocol } from '../index.ts'

const DAY_MS = 86_400_000
const PASSWORD = 'a sentence nobody guesses'
const USED_UP = 'This invitation was used or revoked, or has expired. Ask whoever invited you for a new link.'

let test: TestApp
let owner: pg.Client
let people = 0
let ann: TestPerson
let bo: TestPerson

beforeAll(async () => {
  test = await testApp(
    (services) => ({
      handlers: [
        ...accountRoutes(services),
        ...apiKeyRoutes(services),
        ...feedbackRoutes(services, { stored: async () => undefined }),
        ...settingsRoutes(services),
        ...teamRoutes(services),
      ],
      mounts: [authProtocol(services)],
      authenticate: authenticate(services),
    }),
    { authRateLimits: { signup: 1_000, login: 1_000, verify: 1_000 } },
  )
  owner = new pg.Client({ connectionString: test.database.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await test.cleanup()
})
beforeEach(async () => {
  test.time.passMs = 0
  people += 1
  ann = await test.person(`ann${people}`, { password: PASSWORD })
  bo = await test.person(`bo${people}`, { password: PASSWORD })
})

type Role = 'viewer' | 'member' | 'owner'

const ask = async (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  as: TestPerson | string,
  payload?: object,
) => {
  const answer = await test.call(method, url, { as, ...(payload ? { payload } : {}) })
  return { status: answer.statusCode, ...(answer.json() as Record<string, any>) }
}
const invite = async (role: Role, as = ann, more = {}) => ask('POST', '/api/team/invitations', as, { role, ...more })
const tokenOf = ({ link }: Record<string, any>) => String(new URL(link).hash.replace('#invitation=', ''))
const accept = (token: string, as: TestPerson | string) => ask('POST', '/api/invitations/accept', as, { token })
const team = async (as: TestPerson | string = ann) => ask('GET', '/api/team', as)
const here = async (as: TestPerson | string) => (await ask('GET', '/api/user/user-data', as))['workspace']
const settings = { method: 'auto', min_inputs: 3, categories: [] }
const change = (as: TestPerson | string) => ask('POST', '/api/user/update-settings', as, settings)
const setRole = (who: TestPerson, role: Role, as: TestPerson | string = ann) =>
  ask('PUT', `/api/team/${who.accountId}/role`, as, { role })
const remove = (who: TestPerson, as: TestPerson | string = ann) => ask('DELETE', `/api/team/${who.accountId}`, as)
const enter = (workspace: string, as: TestPerson | string) =>
  ask('POST', '/api/workspaces/switch', as, { workspace_id: workspace })
const logIn = async (who: TestPerson) => {
  const { token, refresh_token } = await ask('POST', '/api/auth/login', '', { email: who.email, password: PASSWORD })
  return { token: String(token), refreshToken: String(refresh_token) }
}

async function join(who: TestPerson, role: Role): Promise<void> {
  expect((await accept(tokenOf(await invite(role)), who)).status).toBe(200)
}

/** The rows of Ann's workspace in a table. */
async function rows(table: string, orderBy = 'workspace_id'): Promise<Record<string, any>[]> {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', ann.workspaceId])
  return (await owner.query(`select * from ${table} where workspace_id = $1 order by ${orderBy}`, [ann.workspaceId]))
    .rows
}

describe('an invitation', () => {
  it('shows what it is to, lets the person join in the role once, and moves their session', async () => {
    const made = await invite('viewer')
    expect(made).toMatchObject({ status: 200, mailed: false, invitation: { role: 'viewer', email: null } })
    const token = tokenOf(made)
    expect(await ask('POST', '/api/invitations/preview', bo, { token })).toMatchObject({
      workspace: ann.name,
      invited_by: ann.email,
      role: 'viewer',
    })
    expect((await team()).invitations).toMatchObject([{ role: 'viewer', invited_by: ann.email }])
    expect(await here(bo)).toMatchObject({ id: bo.workspaceId, role: 'owner', has_others: false })
    expect(await accept(token, bo)).toEqual({ status: 200, workspace_id: ann.workspaceId })
    expect(await here(bo)).toEqual({ id: ann.workspaceId, name: ann.name, role: 'viewer', has_others: true })
    const { members, invitations } = await team()
    expect(invitations).toEqual([])
    expect(members).toMatchObject([
      { email: ann.email, role: 'owner', is_me: true },
      { email: bo.email, role: 'viewer', is_me: false },
    ])
  })

  it('is stored as a hash, and its link has the token in the fragment only', async () => {
    const made = await invite('member')
    const token = tokenOf(made)
    const { pathname, search } = new URL(made['link'])
    expect([pathname + search, token]).toEqual(['/auth?step=join', expect.stringMatching(/^[\w-]{43}$/)])
    expect(JSON.stringify(await rows('invitation'))).not.toContain(token)
    expect(JSON.stringify(await rows('audit_event'))).not.toContain(token)
    expect(JSON.stringify(await team())).not.toContain(token)
  })

  it('says one thing when it was used, was revoked, has expired or never was', async () => {
    const used = tokenOf(await invite('member'))
    await accept(used, bo)
    const revoked = await invite('member')
    expect((await ask('DELETE', `/api/team/invitations/${revoked['invitation'].id}`, ann)).status).toBe(200)
    const expired = tokenOf(await invite('member'))
    const valid = tokenOf(await invite('member'))
    test.time.passMs = 7 * DAY_MS - 60_000
    const dan = await test.person(`dan${people}`)
    expect((await accept(valid, dan)).status).toBe(200)
    test.time.passMs = 7 * DAY_MS + 60_000
    const eve = await test.person(`eve${people}`)
    for (const token of [used, tokenOf(revoked), expired, 'nonsense']) {
      for (const call of ['preview', 'accept']) {
        const answer = await ask('POST', `/api/invitations/${call}`, eve, { token })
        expect([answer.status, answer['message']]).toEqual([404, USED_UP])
      }
    }
  })

  it('lets one of two people join who accept it at once', async () => {
    const carl = await test.person(`carl${people}`, { password: PASSWORD })
    for (let round = 0; round < 5; round += 1) {
      const token = tokenOf(await invite('member'))
      const [one, two] = [await logIn(bo), await logIn(carl)]
      const answers = await Promise.all([accept(token, one.token), accept(token, two.token)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
      for (const who of [bo, carl]) await remove(who)
    }
  })

  it('stays open when a member opens it', async () => {
    await join(bo, 'viewer')
    const token = tokenOf(await invite('owner'))
    expect(await accept(token, bo)).toMatchObject({ status: 409, message: 'You are in this workspace already' })
    expect((await here(bo)).role).toBe('viewer')
    expect((await accept(token, await test.person(`carl${people}`, { password: PASSWORD }))).status).toBe(200)
  })

  it('can be made and seen by owners only, and goes with the owner who made it', async () => {
    const carl = await test.person(`carl${people}`, { password: PASSWORD })
    await join(bo, 'owner')
    await join(carl, 'member')
    expect((await invite('viewer', carl)).status).toBe(403)
    expect((await team(carl)).invitations).toEqual([])
    const [first, second] = [tokenOf(await invite('member', bo)), tokenOf(await invite('member'))]
    await setRole(bo, 'member')
    const dan = await test.person(`dan${people}`)
    expect([(await accept(first, dan)).status, (await accept(second, dan)).status]).toEqual([404, 200])
  })

  it('is one of at most 30 an hour', async () => {
    for (let made = 0; made < 30; made += 1) expect((await invite('viewer')).status).toBe(200)
    expect((await invite('viewer')).status).toBe(429)
    expect((await invite('viewer', bo)).status).toBe(200)
  })
})

describe('a role', () => {
  it('takes effect at once, in every process', async () => {
    const other = authenticate(withCaches({ ...test.services }))
    await join(bo, 'viewer')
    expect(await change(bo)).toMatchObject({
      status: 403,
      code: 'forbidden',
      message: 'You can only view this workspace: ask an owner to make you a member',
    })
    expect((await other(bo.token))?.role).toBe('viewer')
    await setRole(bo, 'member')
    expect((await change(bo)).status).toBe(200)
    await expect.poll(async () => (await other(bo.token))?.role).toBe('member')
    await setRole(bo, 'viewer')
    expect((await change(bo)).status).toBe(403)
    await expect.poll(async () => (await other(bo.token))?.role).toBe('viewer')
  })

  it('is not what a sign-in read that overlapped its change', async () => {
    await join(bo, 'member')
    const held = new pg.Client({ connectionString: test.database.ownerUrl })
    await held.connect()
    await held.query('begin')
    await held.query(`select pg_advisory_xact_lock(hashtextextended('members of ${ann.workspaceId}', 0))`)
    const changing = setRole(bo, 'viewer')
    await waiting(1)
    const { token } = await logIn(bo)
    expect((await change(token)).status).toBe(200)
    await held.query('commit')
    await held.end()
    expect([(await changing).status, (await change(token)).status]).toEqual([200, 403])
    const other = authenticate(withCaches({ ...test.services }))
    expect((await other(token))?.role).toBe('viewer')
  })

  it('is changed by owners only', async () => {
    const carl = await test.person(`carl${people}`, { password: PASSWORD })
    await join(bo, 'member')
    await join(carl, 'viewer')
    expect((await setRole(carl, 'member', bo)).status).toBe(403)
    expect((await setRole(bo, 'owner', bo)).status).toBe(403)
    expect((await setRole(carl, 'member')).status).toBe(200)
    expect((await setRole(carl, 'member', await test.person(`dan${people}`))).status).toBe(404)
  })

  it('limits the API keys of the person', async () => {
    await join(bo, 'member')
    const fields = { name: 'Feed', scopes: ['read', 'feedback:write'], expires_in_days: 30 }
    const { token } = await ask('POST', '/api/keys', bo, fields)
    const feedback = { items: [{ id: '1', text: 'The export fails', said_at: new Date().toISOString() }] }
    const [read, send] = [
      () => ask('GET', '/api/file-sources', token),
      () => ask('POST', '/api/feedback', token, feedback),
    ]
    expect([(await read()).status, (await send()).status]).not.toContain(403)
    await setRole(bo, 'viewer')
    expect([(await read()).status, (await send()).status]).toEqual([200, 403])
    expect((await ask('POST', '/api/keys', bo, fields)).status).toBe(403)
  })

  it('of the last owner stays', async () => {
    const LAST = { status: 409, message: 'A workspace needs an owner: make somebody else an owner first' }
    await join(bo, 'member')
    expect(await setRole(ann, 'viewer')).toMatchObject(LAST)
    expect(await ask('POST', '/api/team/leave', ann)).toMatchObject(LAST)
    const deletion = await ask('POST', '/api/account/delete', ann, { password: PASSWORD })
    expect(deletion).toMatchObject({
      status: 409,
      message: `“${ann.name}” needs another owner first, in Settings › Team`,
    })
    expect((await ask('GET', '/api/account/deletion', ann))['words']).toContain('You are the only owner')
    expect((await setRole(bo, 'owner')).status).toBe(200)
    expect((await ask('POST', '/api/account/delete', ann, { password: PASSWORD })).status).toBe(200)
    expect((await team(bo)).members).toMatchObject([{ email: bo.email, role: 'owner' }])
  })

  it('of owner stays with one of two who give it up at once, however they do', async () => {
    await join(bo, 'owner')
    const both: [() => Promise<{ status: number }>, () => Promise<{ status: number }>][] = [
      [() => setRole(bo, 'member', ann), () => setRole(ann, 'member', bo)],
      [() => setRole(ann, 'member', ann), () => setRole(bo, 'member', bo)],
    ]
    for (const [one, other] of both) {
      const answers = await Promise.all([one(), other()])
      expect(answers.map(({ status }) => status)).toContain(200)
      const { members } = await team()
      const owners = members.filter(({ role }: { role: Role }) => role === 'owner')
      expect(owners).toHaveLength(1)
      const by = owners[0].is_me ? ann : bo
      for (const who of [ann, bo]) if (who !== by) await setRole(who, 'owner', by)
    }
    const left = await Promise.all([ask('POST', '/api/team/leave', ann), ask('POST', '/api/team/leave', bo)])
    expect(left.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('of owner stays with one of two who delete their accounts at once', async () => {
    await join(bo, 'owner')
    const carl = await test.person(`carl${people}`, { password: PASSWORD })
    await join(carl, 'viewer')
    const gone = (who: TestPerson) => ask('POST', '/api/account/delete', who, { password: PASSWORD })
    const answers = await Promise.all([gone(ann), gone(bo)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await team(carl)).members.map(({ role }: { role: Role }) => role)).toContain('owner')
  })

  it('is handed over in one step', async () => {
    await join(bo, 'viewer')
    expect((await ask('POST', `/api/team/${bo.accountId}/transfer`, ann)).status).toBe(200)
    expect([(await here(ann)).role, (await here(bo)).role]).toEqual(['member', 'owner'])
    expect((await remove(bo)).status).toBe(403)
    expect((await remove(ann, bo)).status).toBe(200)
  })
})

describe('somebody who is removed', () => {
  it('loses sessions and keys of that workspace only, in every process, and starts anew when nothing is left', async () => {
    const other = authenticate(withCaches({ ...test.services }))
    await join(bo, 'member')
    const { token: key } = await ask('POST', '/api/keys', bo, { name: 'k', scopes: ['read'], expires_in_days: null })
    const elsewhere = await logIn(bo)
    expect((await enter(bo.workspaceId, elsewhere.token)).status).toBe(200)
    expect((await other(bo.token))?.workspaceId).toBe(ann.workspaceId)
    expect((await remove(bo)).status).toBe(200)
    expect([(await team(bo)).status, (await team(key)).status]).toEqual([401, 401])
    await expect.poll(() => other(bo.token)).toBeNull()
    expect(await rows('api_key')).toEqual([])
    expect((await here(elsewhere.token)).id).toBe(bo.workspaceId)
    expect((await remove(bo)).status).toBe(404)
  })

  it('gets a new workspace of their own at the next sign-in, one for two sign-ins at once', async () => {
    await join(bo, 'member')
    await enter(bo.workspaceId, bo)
    const carl = await test.person(`carl${people}`, { password: PASSWORD })
    await accept(tokenOf(await invite('owner', bo)), carl)
    expect((await ask('POST', '/api/team/leave', bo)).status).toBe(200)
    expect((await here(bo)).id).toBe(ann.workspaceId)
    const session = await logIn(bo)
    await remove(bo)
    const renewal = await ask('POST', '/auth/v1/token?grant_type=refresh_token', '', {
      refresh_token: session.refreshToken,
    })
    expect(renewal.status).toBe(400)
    const [one, two] = await Promise.all([logIn(bo), logIn(bo)])
    const [first, second] = [await here(one.token), await here(two.token)]
    expect(first).toMatchObject({ name: bo.name, role: 'owner', has_others: false })
    expect([bo.workspaceId, ann.workspaceId]).not.toContain(first.id)
    expect(second.id).toBe(first.id)
  })

  it('changes nothing more by a call that was let in before', async () => {
    await join(bo, 'owner')
    const held = new pg.Client({ connectionString: test.database.ownerUrl })
    await held.connect()
    await held.query('begin')
    await held.query(`select pg_advisory_xact_lock(hashtextextended('members of ${ann.workspaceId}', 0))`)
    const calls = Promise.all([
      remove(bo),
      waiting(1).then(() =>
        Promise.all([
          invite('owner', bo),
          setRole(ann, 'viewer', bo),
          ask('POST', '/api/keys', bo, { name: 'k', scopes: ['read'], expires_in_days: null }),
        ]),
      ),
    ])
    await waiting(4)
    await held.query('commit')
    await held.end()
    const [removed, refused] = await calls
    expect([removed.status, ...refused.map(({ status }) => status)]).toEqual([200, 403, 403, 403])
    expect(await rows('invitation')).toEqual([])
  })
})

/** Until so many transactions wait for the lock of the members. */
async function waiting(count: number): Promise<void> {
  for (;;) {
    const { rows: found } = await owner.query(`
      select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
      where l.locktype = 'advisory' and not l.granted`)
    if (found[0].count >= count) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('a person in several workspaces', () => {
  it('switches: the session acts there at once, in every process, and the next sign-in too', async () => {
    const other = authenticate(withCaches({ ...test.services }))
    await join(bo, 'member')
    const { workspaces } = await ask('GET', '/api/workspaces', bo)
    expect(workspaces).toMatchObject([
      { id: ann.workspaceId, role: 'member', is_current: true },
      { id: bo.workspaceId, role: 'owner', is_current: false },
    ])
    expect((await other(bo.token))?.workspaceId).toBe(ann.workspaceId)
    expect((await enter(bo.workspaceId, bo)).status).toBe(200)
    expect((await here(bo)).id).toBe(bo.workspaceId)
    await expect.poll(async () => (await other(bo.token))?.workspaceId).toBe(bo.workspaceId)
    expect((await here((await logIn(bo)).token)).id).toBe(bo.workspaceId)
    await enter(ann.workspaceId, bo)
    expect((await here((await logIn(bo)).token)).id).toBe(ann.workspaceId)
  })

  it('cannot enter one that they are not in', async () => {
    expect((await enter(ann.workspaceId, bo)).status).toBe(404)
    expect((await here(bo)).id).toBe(bo.workspaceId)
  })

  it('writes nothing into one workspace by a page that shows another', async () => {
    await join(bo, 'member')
    const call = async (shown: string) => {
      const headers = { 'x-workspace': shown }
      const answer = await test.call('POST', '/api/user/update-settings', { as: bo, headers, payload: settings })
      return [answer.statusCode, answer.json().code]
    }
    expect(await call(bo.workspaceId)).toEqual([409, 'workspace_changed'])
    expect(await call(ann.workspaceId)).toEqual([200, undefined])
    await enter(bo.workspaceId, bo)
    expect(await call(ann.workspaceId)).toEqual([409, 'workspace_changed'])
    const answer = await test.call('POST', '/api/auth/logout', { as: bo, headers: { 'x-workspace': ann.workspaceId } })
    expect(answer.statusCode).toBe(200)
  })

  it('finds the places in their own data, and everything in the audit log', async () => {
    await join(bo, 'owner')
    await invite('viewer', bo)
    await setRole(ann, 'member', bo)
    await ask('POST', `/api/team/${ann.accountId}/transfer`, bo)
    const data = await ask('GET', '/api/account/export', bo)
    expect(data['workspaces']).toMatchObject([{ role: 'owner' }, { role: 'member' }])
    await remove(bo)
    const actions = (await rows('audit_event', 'id')).map(({ action }) => action)
    expect(actions.filter((one: string) => /^(invitation|member|workspace)/.test(one))).toEqual([
      'invitation.made',
      'invitation.accepted',
      'invitation.made',
      'member.role_changed',
      'workspace.transferred',
      'member.removed',
    ])
  })
})
