import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { type Answer, openTeam, PASSWORD, statuses, tokenOf } from './testing.ts'

const DAY_MS = 86_400_000
const NOT_VALID = 'This invitation was used or revoked, or has expired. Ask the person who invited you for a new link.'

let people = 0
let ann: TestPerson
let bo: TestPerson

const on = duringTests(() => openTeam())
beforeEach(async () => {
  on.test.time.passMs = 0
  on.test.time.stoppedAt = undefined
  people += 1
  ann = await person('ann')
  bo = await person('bo')
})

const person = (name: string) => on.test.person(`${name}${people}`, { password: PASSWORD })

describe('an invitation', () => {
  it('shows what it is to, lets the person join in the role once, and moves their session', async () => {
    const made = await on.invite('viewer', ann)
    expect(made).toMatchObject({ status: 200, mailed: false, invitation: { role: 'viewer', email: null } })
    const token = tokenOf(made)
    expect(await on.ask('POST', '/api/invitations/preview', bo, { token })).toMatchObject({
      workspace: ann.name,
      invited_by: ann.email,
      role: 'viewer',
    })
    expect((await on.team(ann)).invitations).toMatchObject([{ role: 'viewer', invited_by: ann.email }])
    expect(await on.here(bo)).toMatchObject({ id: bo.workspaceId, role: 'owner', has_others: false })
    expect(await on.accept(token, bo)).toEqual({ status: 200, workspace_id: ann.workspaceId })
    expect(await on.here(bo)).toEqual({
      id: ann.workspaceId,
      name: ann.name,
      role: 'viewer',
      has_others: true,
      time_zone: null,
    })
    const { members, invitations } = await on.team(ann)
    expect(invitations).toEqual([])
    expect(members).toMatchObject([
      { email: ann.email, role: 'owner', is_me: true },
      { email: bo.email, role: 'viewer', is_me: false },
    ])
  })

  it('is stored as a hash, and its link has the token in the fragment only', async () => {
    const made = await on.invite('member', ann)
    const token = tokenOf(made)
    const { pathname, search } = new URL(made.link)
    expect([pathname + search, token]).toEqual(['/auth?step=join', expect.stringMatching(/^[\w-]{43}$/)])
    expect(JSON.stringify(await on.rows('invitation', ann))).not.toContain(token)
    expect(JSON.stringify(await on.rows('audit_event', ann))).not.toContain(token)
    expect(JSON.stringify(await on.team(ann))).not.toContain(token)
  })

  it('says one thing when it was used, was revoked, has expired or never was', async () => {
    const used = tokenOf(await on.invite('member', ann))
    await on.accept(used, bo)
    const revoked = await on.invite('member', ann)
    expect((await on.ask('DELETE', `/api/team/invitations/${revoked.invitation.id}`, ann)).status).toBe(200)
    const expired = tokenOf(await on.invite('member', ann))
    const valid = tokenOf(await on.invite('member', ann))
    on.test.time.passMs = 7 * DAY_MS - 60_000
    const dan = await person('dan')
    expect((await on.accept(valid, dan)).status).toBe(200)
    on.test.time.passMs = 7 * DAY_MS + 60_000
    const eve = await person('eve')
    for (const token of [used, tokenOf(revoked), expired, 'nonsense']) {
      for (const call of ['preview', 'accept']) {
        const answer = await on.ask('POST', `/api/invitations/${call}`, eve, { token })
        expect([answer.status, answer.message]).toEqual([404, NOT_VALID])
      }
    }
  })

  it('lets one of two people join who accept it at once', async () => {
    const carl = await person('carl')
    for (let round = 0; round < 5; round += 1) {
      const token = tokenOf(await on.invite('member', ann))
      const [one, two] = [await on.logIn(bo), await on.logIn(carl)]
      const answers = await Promise.all([on.accept(token, one.token), on.accept(token, two.token)])
      expect(statuses(answers)).toEqual([200, 404])
      for (const who of [bo, carl]) await on.remove(who, ann)
    }
  })

  it('stays open when a member opens it', async () => {
    await on.join(bo, 'viewer', ann)
    const token = tokenOf(await on.invite('owner', ann))
    expect(await on.accept(token, bo)).toMatchObject({ status: 409, message: 'You are already in this workspace' })
    expect((await on.here(bo)).role).toBe('viewer')
    expect((await on.accept(token, await person('carl'))).status).toBe(200)
  })

  it('can be made and seen by owners only, and goes with the owner who made it', async () => {
    const carl = await person('carl')
    await on.join(bo, 'owner', ann)
    await on.join(carl, 'member', ann)
    expect((await on.invite('viewer', carl)).status).toBe(403)
    expect((await on.team(carl)).invitations).toEqual([])
    const [first, second] = [tokenOf(await on.invite('member', bo)), tokenOf(await on.invite('member', ann))]
    await on.setRole(bo, 'member', ann)
    const dan = await person('dan')
    expect([(await on.accept(first, dan)).status, (await on.accept(second, dan)).status]).toEqual([404, 200])
  })

  it('is one of at most 30 an hour', async () => {
    on.test.time.stoppedAt = Date.now()
    for (let made = 0; made < 30; made += 1) expect((await on.invite('viewer', ann)).status).toBe(200)
    expect((await on.invite('viewer', ann)).status).toBe(429)
    expect((await on.invite('viewer', bo)).status).toBe(200)
  })
})

describe('where sign-up is closed', () => {
  // The first account that is made from this machine becomes the admin, and is admitted in any case.
  beforeAll(async () => void (await signUp('admin')))
  beforeEach(() => void Object.assign(on.test.services.config, { signup: 'closed' }))
  afterEach(() => void Object.assign(on.test.services.config, { signup: 'open' }))

  const signUp = (name: string, invitation?: string) =>
    on.ask('POST', '/api/auth/signup', '', {
      email: `${name}${people}@example.com`,
      password: PASSWORD,
      name,
      ...(invitation === undefined ? {} : { invitation }),
    })

  it('an invitation admits one new account, which alone can accept it then', async () => {
    const invitation = tokenOf(await on.invite('viewer', ann))
    expect((await signUp('carl')).status).toBe(403)
    expect((await signUp('carl', 'a token that nobody has')).message).toContain('This invitation was used or revoked')
    const carl = await signUp('carl', invitation)
    expect(carl.status).toBe(200)
    expect((await signUp('dora', invitation)).status).toBe(403)
    expect(await on.accept(invitation, bo)).toMatchObject({ status: 404, message: NOT_VALID })
    expect(await on.accept(invitation, carl.token)).toEqual({ status: 200, workspace_id: ann.workspaceId })
    expect(await on.here(carl.token)).toMatchObject({ id: ann.workspaceId, role: 'viewer' })
  })

  it('an invitation admits one of several who sign up with it at once', async () => {
    const invitation = tokenOf(await on.invite('member', ann))
    const names = ['eve', 'fay', 'gil', 'hal']
    const answers = await Promise.all(names.map((name) => signUp(name, invitation)))
    expect(statuses(answers)).toEqual([200, 403, 403, 403])
    const { token } = answers.find(({ status }) => status === 200) as Answer
    expect((await on.accept(invitation, token)).status).toBe(200)
  })

  it('an invitation admits nobody else while somebody signs up with it', async () => {
    const invitation = tokenOf(await on.invite('member', ann))
    const release = await on.hold(ann)
    const accepting = on.accept(invitation, bo)
    await on.waiting(1)
    const nia = await signUp('nia', invitation)
    await release()
    expect([nia.status, (await accepting).status]).toEqual([200, 404])
    expect((await on.accept(invitation, nia.token)).status).toBe(200)
  })

  it('an invitation that was mailed admits that address only, and one that was revoked or has expired none', async () => {
    const to = `ida${people}@example.com`
    const mailed = await on.ask('POST', '/api/team/invitations', ann, { role: 'member', email: to })
    expect((await signUp('jan', tokenOf(mailed))).status).toBe(403)
    expect((await signUp('ida', tokenOf(mailed))).status).toBe(200)
    const revoked = await on.invite('member', ann)
    await on.ask('DELETE', `/api/team/invitations/${revoked.invitation.id}`, ann)
    expect((await signUp('kim', tokenOf(revoked))).status).toBe(403)
    const expired = tokenOf(await on.invite('member', ann))
    on.test.time.passMs = 7 * DAY_MS
    expect((await signUp('lea', expired)).status).toBe(403)
  })

  it('an invitation changes no account that is there already, and stays for somebody else', async () => {
    const invitation = tokenOf(await on.invite('member', ann))
    expect((await signUp('bo', invitation)).message).toBe('An account with this e-mail address already exists')
    expect((await signUp('max', invitation)).status).toBe(200)
  })
})
