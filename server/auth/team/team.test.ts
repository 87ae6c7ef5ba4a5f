import { beforeEach, describe, expect, it } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { authenticate } from '../index.ts'
import { type Answer, openTeam, PASSWORD, statuses, tokenOf } from './testing.ts'

const settings = { method: 'auto', min_inputs: 3, categories: [] }

let people = 0
let ann: TestPerson
let bo: TestPerson

const on = duringTests(() => openTeam())
beforeEach(async () => {
  on.test.time.passMs = 0
  people += 1
  ann = await person('ann')
  bo = await person('bo')
})

const person = (name: string) => on.test.person(`${name}${people}`, { password: PASSWORD })

describe('a role', () => {
  it('takes effect at once, in every process', async () => {
    const other = authenticate(withCaches({ ...on.test.services }))
    await on.join(bo, 'viewer', ann)
    expect(await on.change(bo)).toMatchObject({
      status: 403,
      code: 'forbidden',
      message: 'You can only view this workspace: ask an owner to make you a member',
    })
    expect((await other(bo.token))?.role).toBe('viewer')
    await on.setRole(bo, 'member', ann)
    expect((await on.change(bo)).status).toBe(200)
    await expect.poll(async () => (await other(bo.token))?.role).toBe('member')
    await on.setRole(bo, 'viewer', ann)
    expect((await on.change(bo)).status).toBe(403)
    await expect.poll(async () => (await other(bo.token))?.role).toBe('viewer')
  })

  it('is not what a sign-in read that overlapped its change', async () => {
    await on.join(bo, 'member', ann)
    const release = await on.hold(ann)
    const changing = on.setRole(bo, 'viewer', ann)
    await on.waiting(1)
    const { token } = await on.logIn(bo)
    expect((await on.change(token)).status).toBe(200)
    await release()
    expect([(await changing).status, (await on.change(token)).status]).toEqual([200, 403])
    const other = authenticate(withCaches({ ...on.test.services }))
    expect((await other(token))?.role).toBe('viewer')
  })

  it('is changed by owners only', async () => {
    const carl = await person('carl')
    await on.join(bo, 'member', ann)
    await on.join(carl, 'viewer', ann)
    expect((await on.setRole(carl, 'member', bo)).status).toBe(403)
    expect((await on.setRole(bo, 'owner', bo)).status).toBe(403)
    expect((await on.setRole(carl, 'member', ann)).status).toBe(200)
    expect((await on.setRole(carl, 'member', await person('dan'))).status).toBe(404)
  })

  it('limits the API keys of the person', async () => {
    await on.join(bo, 'member', ann)
    const fields = { name: 'Feed', scopes: ['read', 'feedback:write'], expires_in_days: 30 }
    const { token } = await on.ask('POST', '/api/keys', bo, fields)
    const feedback = { items: [{ id: '1', text: 'The export fails', said_at: new Date().toISOString() }] }
    const [read, send] = [
      () => on.ask('GET', '/api/file-sources', token),
      () => on.ask('POST', '/api/feedback', token, feedback),
    ]
    expect([(await read()).status, (await send()).status]).not.toContain(403)
    await on.setRole(bo, 'viewer', ann)
    expect([(await read()).status, (await send()).status]).toEqual([200, 403])
    expect((await on.ask('POST', '/api/keys', bo, fields)).status).toBe(403)
  })

  it('of the last owner stays', async () => {
    const LAST = { status: 409, message: 'A workspace needs an owner: make somebody else an owner first' }
    await on.join(bo, 'member', ann)
    expect(await on.setRole(ann, 'viewer', ann)).toMatchObject(LAST)
    expect(await on.ask('POST', '/api/team/leave', ann)).toMatchObject(LAST)
    const deletion = await on.ask('POST', '/api/account/delete', ann, { password: PASSWORD })
    expect(deletion).toMatchObject({
      status: 409,
      message: `“${ann.name}” needs another owner first, in Settings › Team`,
    })
    expect((await on.ask('GET', '/api/account/deletion', ann)).words).toContain('You are the only owner')
    expect((await on.setRole(bo, 'owner', ann)).status).toBe(200)
    expect((await on.ask('POST', '/api/account/delete', ann, { password: PASSWORD })).status).toBe(200)
    expect((await on.team(bo)).members).toMatchObject([{ email: bo.email, role: 'owner' }])
  })

  it('of owner stays with one of two who give it up at once, however they do', async () => {
    await on.join(bo, 'owner', ann)
    const both: [() => Promise<Answer>, () => Promise<Answer>][] = [
      [() => on.setRole(bo, 'member', ann), () => on.setRole(ann, 'member', bo)],
      [() => on.setRole(ann, 'member', ann), () => on.setRole(bo, 'member', bo)],
    ]
    for (const [one, other] of both) {
      const answers = await Promise.all([one(), other()])
      expect(answers.map(({ status }) => status)).toContain(200)
      const { members } = await on.team(ann)
      const owners = members.filter(({ role }) => role === 'owner')
      expect(owners).toHaveLength(1)
      const by = owners[0]?.is_me ? ann : bo
      for (const who of [ann, bo]) if (who !== by) await on.setRole(who, 'owner', by)
    }
    const left = await Promise.all([on.ask('POST', '/api/team/leave', ann), on.ask('POST', '/api/team/leave', bo)])
    expect(statuses(left)).toEqual([200, 409])
  })

  it('of owner stays with one of two who delete their accounts at once', async () => {
    await on.join(bo, 'owner', ann)
    const carl = await person('carl')
    await on.join(carl, 'viewer', ann)
    const gone = (who: TestPerson) => on.ask('POST', '/api/account/delete', who, { password: PASSWORD })
    const answers = await Promise.all([gone(ann), gone(bo)])
    expect(statuses(answers)).toEqual([200, 409])
    expect((await on.team(carl)).members.map(({ role }) => role)).toContain('owner')
  })

  it('is handed over in one step', async () => {
    await on.join(bo, 'viewer', ann)
    expect((await on.ask('POST', `/api/team/${bo.accountId}/transfer`, ann)).status).toBe(200)
    expect([(await on.here(ann)).role, (await on.here(bo)).role]).toEqual(['member', 'owner'])
    expect((await on.remove(bo, ann)).status).toBe(403)
    expect((await on.remove(ann, bo)).status).toBe(200)
  })
})

describe('somebody who is removed', () => {
  it('loses sessions and keys of that workspace only, in every process, and gets a new workspace when none is left', async () => {
    const other = authenticate(withCaches({ ...on.test.services }))
    await on.join(bo, 'member', ann)
    const { token: key } = await on.ask('POST', '/api/keys', bo, { name: 'k', scopes: ['read'], expires_in_days: null })
    const elsewhere = await on.logIn(bo)
    expect((await on.enter(bo.workspaceId, elsewhere.token)).status).toBe(200)
    expect((await other(bo.token))?.workspaceId).toBe(ann.workspaceId)
    expect((await on.remove(bo, ann)).status).toBe(200)
    expect([(await on.team(bo)).status, (await on.team(key)).status]).toEqual([401, 401])
    await expect.poll(() => other(bo.token)).toBeNull()
    expect(await on.rows('api_key', ann)).toEqual([])
    expect((await on.here(elsewhere.token)).id).toBe(bo.workspaceId)
    expect((await on.remove(bo, ann)).status).toBe(404)
  })

  it('gets a new workspace of their own at the next sign-in, one for two sign-ins at once', async () => {
    await on.join(bo, 'member', ann)
    await on.enter(bo.workspaceId, bo)
    const carl = await person('carl')
    await on.accept(tokenOf(await on.invite('owner', bo)), carl)
    expect((await on.ask('POST', '/api/team/leave', bo)).status).toBe(200)
    expect((await on.here(bo)).id).toBe(ann.workspaceId)
    const session = await on.logIn(bo)
    await on.remove(bo, ann)
    const renewal = await on.ask('POST', '/auth/v1/token?grant_type=refresh_token', '', {
      refresh_token: session.refresh_token,
    })
    expect(renewal.status).toBe(400)
    const [one, two] = await Promise.all([on.logIn(bo), on.logIn(bo)])
    const [first, second] = [await on.here(one.token), await on.here(two.token)]
    expect(first).toMatchObject({ name: bo.name, role: 'owner', has_others: false })
    expect([bo.workspaceId, ann.workspaceId]).not.toContain(first.id)
    expect(second.id).toBe(first.id)
  })

  it('changes nothing more by a call that was let in before', async () => {
    await on.join(bo, 'owner', ann)
    const release = await on.hold(ann)
    const calls = Promise.all([
      on.remove(bo, ann),
      on
        .waiting(1)
        .then(() =>
          Promise.all([
            on.invite('owner', bo),
            on.setRole(ann, 'viewer', bo),
            on.ask('POST', '/api/keys', bo, { name: 'k', scopes: ['read'], expires_in_days: null }),
          ]),
        ),
    ])
    await on.waiting(4)
    await release()
    const [removed, refused] = await calls
    expect([removed.status, ...refused.map(({ status }) => status)]).toEqual([200, 403, 403, 403])
    expect(await on.rows('invitation', ann)).toEqual([])
  })
})

describe('a person in several workspaces', () => {
  it('switches: the session acts there at once, in every process, and the next sign-in too', async () => {
    const other = authenticate(withCaches({ ...on.test.services }))
    await on.join(bo, 'member', ann)
    const { workspaces } = await on.ask('GET', '/api/workspaces', bo)
    expect(workspaces).toMatchObject([
      { id: ann.workspaceId, role: 'member', is_current: true },
      { id: bo.workspaceId, role: 'owner', is_current: false },
    ])
    expect((await other(bo.token))?.workspaceId).toBe(ann.workspaceId)
    expect((await on.enter(bo.workspaceId, bo)).status).toBe(200)
    expect((await on.here(bo)).id).toBe(bo.workspaceId)
    await expect.poll(async () => (await other(bo.token))?.workspaceId).toBe(bo.workspaceId)
    expect((await on.here((await on.logIn(bo)).token)).id).toBe(bo.workspaceId)
    await on.enter(ann.workspaceId, bo)
    expect((await on.here((await on.logIn(bo)).token)).id).toBe(ann.workspaceId)
  })

  it('cannot enter one that they are not in', async () => {
    expect((await on.enter(ann.workspaceId, bo)).status).toBe(404)
    expect((await on.here(bo)).id).toBe(bo.workspaceId)
  })

  it('writes nothing into one workspace by a page that shows another', async () => {
    await on.join(bo, 'member', ann)
    const call = async (shown: string) => {
      const headers = { 'x-workspace': shown }
      const answer = await on.test.call('POST', '/api/user/update-settings', { as: bo, headers, payload: settings })
      return [answer.statusCode, answer.json().code]
    }
    expect(await call(bo.workspaceId)).toEqual([409, 'workspace_changed'])
    expect(await call(ann.workspaceId)).toEqual([200, undefined])
    await on.enter(bo.workspaceId, bo)
    expect(await call(ann.workspaceId)).toEqual([409, 'workspace_changed'])
    const answer = await on.test.call('POST', '/api/auth/logout', {
      as: bo,
      headers: { 'x-workspace': ann.workspaceId },
    })
    expect(answer.statusCode).toBe(200)
  })

  it('finds the places in their own data, and everything in the audit log', async () => {
    await on.join(bo, 'owner', ann)
    await on.invite('viewer', bo)
    await on.setRole(ann, 'member', bo)
    await on.ask('POST', `/api/team/${ann.accountId}/transfer`, bo)
    const data = await on.ask('GET', '/api/account/export', bo)
    expect(data.workspaces).toMatchObject([{ role: 'owner' }, { role: 'member' }])
    await on.remove(bo, ann)
    const actions = (await on.rows('audit_event', ann, 'id')).map(({ action }) => String(action))
    expect(actions.filter((one) => /^(invitation|member|workspace)/.test(one))).toEqual([
      'invitation.made',
      'invitation.accepted',
      'invitation.made',
      'member.role_changed',
      'workspace.transferred',
      'member.removed',
    ])
  })
})
