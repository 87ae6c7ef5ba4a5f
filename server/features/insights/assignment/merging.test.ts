import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { withoutWorkspace } from '../../../platform/db/tenant.ts'
import { corrected, csv, mail, useFreshWorkspaces, world } from '../corrections/fresh-workspace.ts'

useFreshWorkspaces()

const people: string[] = []

beforeEach(async () => {
  people.length = 0
  for (const role of ['owner', 'member']) {
    const id = crypto.randomUUID()
    await withoutWorkspace(world.services.db.accounts, (tx) =>
      sql`insert into account (id, email, name) values (${id}, ${`${id}@example.com`}, ${role})`.execute(tx),
    )
    await world.inside(corrected.workspace, (tx) =>
      sql`insert into member (workspace_id, account_id, role) values (${corrected.workspace}, ${id}, ${role})`.execute(
        tx,
      ),
    )
    people.push(id)
  }
})

const assign = async (issue_number: number, to: string | null) => {
  const changes = [{ issue_number, assigned_to: to }]
  expect((await world.call(corrected.workspace, 'PUT', '/api/insights/assigned', {}, { changes })).status).toBe(200)
}
const assigned = async (issue: number) =>
  (await corrected.list()).find((one) => one.issue_number === issue)?.assigned_to

describe('an insight into which another is merged', () => {
  test('takes over the person if it is nobody’s, and undo takes it back', async () => {
    const [ann = ''] = people
    await assign(csv, ann)
    const before = await corrected.hash(await corrected.lastNumber())
    const { correction_id: id } = await corrected.apply(csv, { kind: 'merge', into: mail })
    await expect.poll(() => assigned(mail)).toBe(ann)
    await corrected.undo(id)
    await corrected.group()
    await expect.poll(() => assigned(mail)).toBeUndefined()
    expect(await assigned(csv)).toBe(ann)
    expect(await corrected.hash(await corrected.lastNumber())).toBe(before)
  })

  test('keeps its own person, also one of after the merge when that is undone', async () => {
    const [ann = '', bo = ''] = people
    await assign(csv, ann)
    await assign(mail, bo)
    const { correction_id: id } = await corrected.apply(csv, { kind: 'merge', into: mail })
    expect(await assigned(mail)).toBe(bo)
    await assign(mail, ann)
    await corrected.undo(id)
    await corrected.group()
    await expect.poll(() => assigned(csv)).toBe(ann)
    expect(await assigned(mail)).toBe(ann)
  })

  test('is nobody’s after the undo when the person has left', async () => {
    const [ann = '', bo = ''] = people
    await assign(csv, ann)
    await assign(mail, bo)
    const { correction_id: id } = await corrected.apply(csv, { kind: 'merge', into: mail })
    await world.inside(corrected.workspace, (tx) => sql`delete from member where account_id = ${ann}`.execute(tx))
    await corrected.undo(id)
    await corrected.group()
    await expect.poll(async () => (await corrected.list()).some((one) => one.issue_number === csv)).toBe(true)
    expect([await assigned(csv), await assigned(mail)]).toEqual([undefined, bo])
  })
})
