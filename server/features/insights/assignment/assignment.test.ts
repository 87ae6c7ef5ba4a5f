import type { AssignmentChange } from '@groundswell/contract/insights/assignment.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestPerson } from '../../../platform/http/testing.ts'
import { duringTests } from '../../../platform/testing.ts'
import { type People, TeamWorld } from '../../../testing.ts'

let people: People

const world = duringTests(() => TeamWorld.start())
beforeEach(async () => {
  people = await world.people()
})

const put = async (changes: AssignmentChange[], as: TestPerson = people.ann) => {
  const answer = await world.test.call('PUT', '/api/insights/assigned', { as, payload: { changes } })
  return { status: answer.statusCode, message: answer.json().message as string, undo: answer.json().undo as never[] }
}
const assign = (issue_number: number, to: TestPerson | null, as?: TestPerson) =>
  put([{ issue_number, assigned_to: to?.accountId ?? null }], as)
const list = async (as: TestPerson = people.ann) =>
  (await world.test.call('GET', '/api/insights/get-all', { as })).json() as {
    issue_number: number
    assigned_to?: string
    last_updated: string
  }[]
const assigned = async (issue: number, as?: TestPerson) =>
  (await list(as)).find((one) => one.issue_number === issue)?.assigned_to
const history = async (issue: number) =>
  (
    (await world.test.call('GET', `/api/insights/${issue}/detail`, { as: people.ann })).json().history as {
      event: string
    }[]
  ).filter(({ event }) => event === 'assigned')

describe('an insight', () => {
  it('is assigned to members and owners, with history, and undone', async () => {
    const { ann, max, vera } = people
    const { status, undo } = await put([1, 2].map((issue_number) => ({ issue_number, assigned_to: max.accountId })))
    expect(status).toBe(200)
    for (const as of [ann, max, vera]) await expect.poll(() => assigned(1, as)).toBe(max.accountId)
    expect(await history(1)).toMatchObject([{ to: max.name, by: ann.name }])
    await assign(1, ann, max)
    expect(await history(1)).toMatchObject([{ from: max.name, to: ann.name, by: max.name }, { to: max.name }])
    // What was assigned to somebody else since stays.
    expect(await put(undo)).toMatchObject({ status: 200, undo: [{ issue_number: 2, replaces: null }] })
    await expect.poll(() => assigned(2)).toBeUndefined()
    expect(await assigned(1)).toBe(ann.accountId)
    expect((await assign(1, ann)).undo).toEqual([])
  })

  it('is assigned to nobody who cannot work on it, or is not there, nor by a viewer', async () => {
    const { ann, max, vera, bo } = people
    expect(await assign(1, vera)).toMatchObject({ status: 409, message: expect.stringContaining('viewer') })
    expect(await assign(1, bo)).toMatchObject({ status: 404, message: 'There is no such person in the workspace' })
    expect((await assign(1, ann, vera)).status).toBe(403)
    expect((await assign(1, bo, bo)).status).toBe(404)
    expect((await put([1, 7_777].map((issue_number) => ({ issue_number, assigned_to: max.accountId })))).status).toBe(
      404,
    )
    expect((await put([])).status).toBe(400)
    expect(await assigned(1)).toBeUndefined()
  })

  it.each([
    ['is removed', (who: TestPerson) => world.test.call('DELETE', `/api/team/${who.accountId}`, { as: people.ann })],
    ['leaves', (who: TestPerson) => world.test.call('POST', '/api/team/leave', { as: who })],
    [
      'becomes a viewer',
      (who: TestPerson) =>
        world.test.call('PUT', `/api/team/${who.accountId}/role`, { as: people.ann, payload: { role: 'viewer' } }),
    ],
    [
      'deletes the account',
      (who: TestPerson) =>
        world.test.call('POST', '/api/account/delete', { as: who, payload: { password: 'a sentence nobody guesses' } }),
    ],
  ])('is nobody’s again when its person %s, and its history says so', async (how, end) => {
    const { max } = people
    await assign(1, max)
    const { undo } = await assign(1, null)
    await put(undo)
    await expect.poll(() => assigned(1)).toBe(max.accountId)
    expect((await end(max)).statusCode).toBe(200)
    await expect.poll(() => assigned(1)).toBeUndefined()
    const name = how === 'becomes a viewer' ? max.name : 'a former member'
    expect((await history(1))[0]).toEqual({ at: expect.any(String), event: 'assigned', from: name })
    // An earlier undo does not assign work to somebody who cannot do it.
    expect(await put([{ issue_number: 1, assigned_to: max.accountId, replaces: null }])).toMatchObject({
      status: 200,
      undo: [],
    })
  })
})
