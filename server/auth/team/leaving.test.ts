import { beforeEach, describe, expect, it } from 'vitest'
import { inAccount } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { displaceAccount, reclaimAccount } from '../account/claim.ts'
import { lockAccount } from '../account/store.ts'
import { openTeam, PASSWORD } from './testing.ts'

let people = 0
let ann: TestPerson
let bo: TestPerson

const on = duringTests(() => openTeam())
beforeEach(async () => {
  people += 1
  ann = await person('ann')
  bo = await person('bo')
})

const person = (name: string) => on.test.person(`${name}${people}`, { password: PASSWORD })
const by = () => ({ at: new Date(), request: { address: '192.0.2.1', headers: {} } })
const membersOf = async (who: TestPerson) =>
  (await on.rows('member', who)).map(({ account_id: id }) => [ann, bo].find((one) => one.accountId === id)?.name)

/** Takes the address from an account, or gives the account to the owner of its mailbox, in a transaction of that account or of another. */
const losing = (who: TestPerson, how: typeof displaceAccount, of = who) =>
  inAccount(on.test.services.db.accounts, of.accountId, async (tx) => {
    const account = await lockAccount(tx, who.accountId)
    if (account) await how(tx, account, by())
  })

describe('an account that loses its address', () => {
  it('leaves the workspaces of others, whichever account the transaction is of', async () => {
    await on.join(bo, 'owner', ann)
    await losing(bo, displaceAccount, ann)
    expect([await membersOf(ann), await membersOf(bo)]).toEqual([[ann.name], [bo.name]])
    expect((await on.team(bo)).status).toBe(401)
  })

  it('keeps a workspace that it owns alone', async () => {
    await on.join(bo, 'owner', ann)
    expect((await on.ask('POST', '/api/team/leave', ann)).status).toBe(200)
    await losing(bo, displaceAccount)
    expect(await membersOf(ann)).toEqual([bo.name])
  })
})

describe('an account that the owner of its mailbox takes over', () => {
  it('is alone in its own workspace, without invitations, and in no other', async () => {
    const carl = await person('carl')
    await on.join(bo, 'member', carl)
    const { token } = await on.logIn(bo)
    await on.enter(bo.workspaceId, token)
    await on.join(ann, 'owner', token)
    await on.invite('owner', token)
    expect((await on.rows('invitation', bo)).length).toBe(1)
    await losing(bo, reclaimAccount)
    expect([await membersOf(bo), await on.rows('invitation', bo)]).toEqual([[bo.name], []])
    expect(await on.rows('member', carl)).toMatchObject([{ account_id: carl.accountId }])
    expect((await on.team(ann)).status).toBe(401)
  })
})

describe('a workspace whose last member deletes their account', () => {
  it('is erased; while others are in it, it is not', async () => {
    await on.join(bo, 'viewer', ann)
    const gone = () => on.ask('POST', '/api/account/delete', ann, { password: PASSWORD })
    expect((await gone()).status).toBe(409)
    expect(await membersOf(ann)).toEqual([ann.name, bo.name])
    await on.remove(bo, ann)
    expect((await gone()).status).toBe(200)
    expect([await on.rows('workspace', ann), await membersOf(ann)]).toEqual([[], []])
  })
})
