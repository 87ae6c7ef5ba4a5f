import { beforeEach, describe, expect, it } from 'vitest'
import { openConnection } from '../../platform/db/testing.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { mailServer } from '../../platform/mail/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { openTeam, PASSWORD, statuses, tokenOf } from '../team/testing.ts'

const DELETED = 'A workspace at Groundswell was deleted'

let people = 0
let ann: TestPerson
let bo: TestPerson

const post = duringTests(() => mailServer())

const on = duringTests(() => openTeam({ smtpUrl: post.url, mailFrom: 'Groundswell <us@example.com>' }))
beforeEach(async () => {
  on.test.time.passMs = 0
  people += 1
  ann = await person('ann')
  bo = await person('bo')
})

type As = TestPerson | string

const person = (name: string) => on.test.person(`${name}${people}`, { password: PASSWORD })
const preview = (as: As) => on.ask('GET', '/api/workspace/deletion', as)
const remove = (as: As, name: string, proof: object = { password: PASSWORD }) =>
  on.ask('POST', '/api/workspace/delete', as, { name, ...proof })
const rowsOf = async (who: TestPerson) => [await on.rows('workspace', who), await on.rows('member', who)]
const confirm = ({ accountId }: TestPerson) =>
  on.owner.query('update account set email_confirmed_at = now() where id = $1', [accountId])

/** Locks a message of a workspace until the returned function is called. */
async function holdMessage({ workspaceId }: TestPerson): Promise<() => Promise<void>> {
  const held = await openConnection(on.test.database.ownerUrl)
  await held.query('begin')
  await held.query('select set_config($1, $2, true)', ['groundswell.workspace', workspaceId])
  await held.query('select from feedback_item order by id limit 1 for update')
  return async () => {
    await held.query('commit')
    await held.end()
  }
}

/** A session of this person in the workspace of another. */
async function within(place: TestPerson, who: TestPerson): Promise<string> {
  const { token } = await on.logIn(who)
  await on.enter(place.workspaceId, token)
  return token
}

describe('who may delete a workspace', () => {
  it.each(['viewer', 'member'] as const)('not a %s', async (role) => {
    await on.join(bo, role, ann)
    const before = await rowsOf(ann)
    expect([(await preview(bo)).status, (await remove(bo, ann.name)).status]).toEqual([403, 403])
    expect(await rowsOf(ann)).toEqual(before)
  })

  it('not an admin of the installation, nor an API key of an owner', async () => {
    await on.join(bo, 'member', ann)
    await on.owner.query('update account set is_admin = true where id = $1', [bo.accountId])
    const admin = await within(ann, bo)
    const payload = { name: 'a program', scopes: ['read'], expires_in_days: 30 }
    const { token: key } = await on.ask('POST', '/api/keys', ann, payload)
    for (const as of [admin, key]) {
      expect([(await preview(as)).status, (await remove(as, ann.name)).status]).toEqual([403, 403])
    }
    expect((await on.here(ann)).id).toBe(ann.workspaceId)
  })

  it('an owner who types its name and the password', async () => {
    expect(await preview(ann)).toMatchObject({
      name: ann.name,
      others: 0,
      mailed: true,
      backup_days: null,
      afterwards: 'new',
      proof: 'password',
    })
    expect(await remove(ann, 'another')).toMatchObject({ status: 400, code: 'invalid_input' })
    expect(await remove(ann, ann.name, { password: 'wrong' })).toMatchObject({ status: 400, code: 'proof_refused' })
    expect(await remove(ann, ann.name, {})).toMatchObject({ status: 400, code: 'proof_refused' })
    expect(await on.rows('member', ann)).toHaveLength(1)
    expect(await remove(ann, ` ${ann.name} `)).toMatchObject({ status: 200, afterwards: 'new' })
    expect(await rowsOf(ann)).toEqual([[], []])
  })

  it('an owner without a password who has just signed in', async () => {
    await on.owner.query('update account set password_hash = null where id = $1', [ann.accountId])
    expect(await preview(ann)).toMatchObject({ proof: 'recent-sign-in' })
    on.test.time.passMs = 11 * 60_000
    expect(await remove(ann, ann.name, {})).toMatchObject({
      status: 400,
      message: expect.stringContaining('log in again'),
    })
    on.test.time.passMs = 0
    expect(await remove(ann, ann.name, {})).toMatchObject({ status: 200 })
  })
})

describe('the owner of a deleted workspace', () => {
  it('goes on in another one, which is as it was', async () => {
    await on.join(ann, 'member', bo)
    const other = (await on.logIn(ann)).token
    const token = await within(ann, ann)
    const before = await rowsOf(bo)
    expect(await preview(token)).toMatchObject({ afterwards: 'another', others: 0 })
    expect(await remove(token, ann.name)).toMatchObject({ status: 200, afterwards: 'another' })
    expect(await on.here(token)).toMatchObject({ id: bo.workspaceId, name: bo.name, role: 'member', has_others: false })
    expect((await on.here(other)).id).toBe(bo.workspaceId)
    expect(await rowsOf(ann)).toEqual([[], []])
    const [stays, in_it] = await rowsOf(bo)
    expect([stays, in_it?.length]).toEqual([before[0], 2])
  })

  it('gets an empty one when it was the only one, as somebody does who leaves', async () => {
    await on.change(ann)
    expect((await remove(ann, ann.name)).status).toBe(200)
    const here = await on.here(ann)
    expect(here).toMatchObject({ name: ann.name, role: 'owner', has_others: false })
    expect(here.id).not.toBe(ann.workspaceId)
    expect((await on.logIn(ann)).status).toBe(200)
    expect((await on.ask('POST', '/api/account/delete', ann, { password: PASSWORD })).status).toBe(200)
  })

  it('is recorded where the entry survives', async () => {
    await remove(ann, ann.name)
    const { rows } = await on.owner.query(
      `select workspace_id, actor, detail from audit_event where action = 'workspace.deleted' and actor_id = $1`,
      [ann.accountId],
    )
    const detail = { workspace_id: ann.workspaceId, people: 1 }
    expect(rows).toEqual([{ workspace_id: null, actor: ann.email, detail }])
  })
})

describe('everyone else in a deleted workspace', () => {
  it('loses access at once, is told by e-mail, and keeps the account', async () => {
    const carl = await person('carl')
    await on.join(bo, 'member', ann)
    await on.join(carl, 'owner', ann)
    await confirm(bo)
    const payload = { name: 'a program', scopes: ['read'], expires_in_days: 30 }
    const { token: key } = await on.ask('POST', '/api/keys', bo, payload)
    expect(await preview(ann)).toMatchObject({ others: 2 })
    expect((await remove(ann, ann.name)).status).toBe(200)
    expect([(await on.team(bo)).status, (await on.team(carl)).status, (await on.team(key)).status]).toEqual([
      401, 401, 401,
    ])
    const { token } = await on.logIn(bo)
    expect(await on.here(token)).toMatchObject({ id: bo.workspaceId, has_others: false })
    const mail = await post.newest(bo.email, DELETED)
    expect(mail.text).toContain(`${ann.email} deleted the workspace "${ann.name}"`)
    // An address that nobody has confirmed gets none, and neither does the person who deleted it.
    expect(post.mails.filter(({ subject }) => subject === DELETED).map(({ to }) => to)).toEqual([bo.email])
  })

  it('gets an empty one at the next sign-in when it was their only one', async () => {
    await on.join(bo, 'viewer', ann)
    const own = await within(bo, bo)
    expect((await remove(own, bo.name)).status).toBe(200)
    expect((await remove(ann, ann.name)).status).toBe(200)
    const here = await on.here((await on.logIn(bo)).token)
    expect(here).toMatchObject({ name: bo.name, role: 'owner' })
    expect([ann.workspaceId, bo.workspaceId]).not.toContain(here.id)
  })
})

describe('at the same time', () => {
  it('two owners delete it once', async () => {
    await on.join(bo, 'owner', ann)
    const release = await on.hold(ann)
    const both = [remove(ann, ann.name), remove(bo, ann.name)]
    await on.waiting(2)
    await release()
    expect(statuses(await Promise.all(both))).toEqual([200, 404])
    expect(await rowsOf(ann)).toEqual([[], []])
  })

  it('an owner who is demoted meanwhile deletes nothing', async () => {
    await on.join(bo, 'owner', ann)
    const release = await on.hold(ann)
    const demoting = on.setRole(bo, 'member', ann)
    await on.waiting(1)
    const removing = remove(bo, ann.name)
    await on.waiting(2)
    await release()
    expect([(await demoting).status, (await removing).status]).toEqual([200, 403])
    expect(await on.rows('member', ann)).toHaveLength(2)
  })

  it.each(['erases a person before', 'erases a person after'])(
    'another owner %s: nothing is left of either',
    async (order) => {
      await on.join(bo, 'owner', ann)
      const inside = await within(ann, bo)
      const { token: key } = await on.ask('POST', '/api/keys', ann, {
        name: 'k',
        scopes: ['feedback:write'],
        expires_in_days: 30,
      })
      const items = ['a', 'b'].map((id) => ({ id, text: `text of ${id}`, author: 'Kim Berg' }))
      expect((await on.ask('POST', '/api/feedback', key, { items })).status).toBe(200)
      const release = await holdMessage(ann)
      const calls = [() => on.ask('POST', '/api/erasure', inside, { author: 'Kim Berg' }), () => remove(ann, ann.name)]
      const running = []
      for (const [index, call] of (order.endsWith('before') ? calls : calls.toReversed()).entries()) {
        running.push(call())
        await on.waiting(index + 1)
      }
      await release()
      expect(statuses(await Promise.all(running))).toEqual([200, 200])
      expect([await rowsOf(ann), await on.rows('feedback_item', ann), await on.rows('erased_message', ann)]).toEqual([
        [[], []],
        [],
        [],
      ])
    },
  )

  it('nobody joins it', async () => {
    const token = tokenOf(await on.invite('owner', ann))
    const release = await on.hold(ann)
    const removing = remove(ann, ann.name)
    await on.waiting(1)
    const joining = on.accept(token, bo)
    await on.waiting(2)
    await release()
    expect([(await removing).status, (await joining).status]).toEqual([200, 404])
    expect(await rowsOf(ann)).toEqual([[], []])
  })
})
