import type { TeamStatusChange } from '@groundswell/contract/insights/team-status.ts'
import { INSIGHTS_DELTA } from '@groundswell/contract/insights.ts'
import { describe, expect, test } from 'vitest'
import { corrected, csv, mail, useFreshWorkspaces, world } from '../corrections/fresh-workspace.ts'

useFreshWorkspaces()

const put = async (changes: TeamStatusChange[], workspace = corrected.workspace) => {
  const { status, body } = await world.call(workspace, 'PUT', '/api/insights/team-status', {}, { changes })
  return { status, undo: (body as { undo: TeamStatusChange[] }).undo }
}
const set = (issue_number: number, team_status: TeamStatusChange['team_status']) => put([{ issue_number, team_status }])
const detail = async (issue: number) =>
  (await world.call(corrected.workspace, 'GET', `/api/insights/${issue}/detail`)).body as {
    history: { event: string }[]
    team_status_set?: { by: string | null; at: string }
  }
const history = async (issue: number) => (await detail(issue)).history.filter(({ event }) => event === 'team_status')
const teamStatus = async (issue: number) =>
  (await corrected.list()).find((one) => one.issue_number === issue)?.team_status

describe('by hand', () => {
  test('it is set for several insights at once, shown, dated, and undone', async () => {
    world.now = new Date('2027-03-05T08:00:00Z')
    expect(await teamStatus(csv)).toBeUndefined()
    expect(await detail(csv)).not.toHaveProperty('team_status_set')
    await set(mail, 'shipped')
    const both: TeamStatusChange[] = [csv, mail].map((issue_number) => ({ issue_number, team_status: 'planned' }))
    const { status, undo } = await put(both)
    expect(status).toBe(200)
    await expect.poll(() => teamStatus(csv)).toBe('planned')
    expect(await teamStatus(mail)).toBe('planned')
    const listed = (await corrected.list()).find((one) => one.issue_number === csv)
    expect(listed).toMatchObject({ status: 'created', last_updated: '2027-03-05T08:00:00.000Z' })
    expect(await detail(csv)).toMatchObject({ team_status_set: { by: 'A', at: '2027-03-05T08:00:00.000Z' } })
    expect(await history(csv)).toMatchObject([{ event: 'team_status', to: 'planned', by: 'A' }])
    expect(await put(both)).toEqual({ status: 200, undo: [] })
    expect((await put(undo)).status).toBe(200)
    await expect.poll(() => teamStatus(csv)).toBeUndefined()
    expect(await teamStatus(mail)).toBe('shipped')
    expect(await detail(csv)).not.toHaveProperty('team_status_set')
    expect(await history(csv)).toMatchObject([{ from: 'planned', by: 'A' }, { to: 'planned' }])
  })

  test('an undo leaves what was set since, and skips insights that are gone', async () => {
    const { undo } = await put([csv, mail].map((issue_number) => ({ issue_number, team_status: 'planned' })))
    await set(csv, 'in_progress')
    await world.call(corrected.workspace, 'DELETE', `/api/insights/${mail}`)
    expect(await put(undo)).toEqual({ status: 200, undo: [] })
    expect(await teamStatus(csv)).toBe('in_progress')
  })

  test('all are set or none: an insight that is not there, or is another workspace’s, is not found', async () => {
    const other = await world.workspace()
    expect((await put([{ issue_number: csv, team_status: 'planned' }], other)).status).toBe(404)
    const mixed = await put([csv, 7_777].map((issue_number) => ({ issue_number, team_status: 'planned' })))
    expect(mixed.status).toBe(404)
    expect(await teamStatus(csv)).toBeUndefined()
    expect((await put([])).status).toBe(400)
    const wrong = { changes: [{ issue_number: csv, team_status: 'done' }] }
    expect((await world.call(corrected.workspace, 'PUT', '/api/insights/team-status', {}, wrong)).status).toBe(400)
  })

  test('what changed in the list since has it, and so has the export', async () => {
    const ask = (etag: string) =>
      world.call(corrected.workspace, 'GET', '/api/insights/get-all', {
        'if-none-match': etag,
        [INSIGHTS_DELTA]: 'wanted',
      })
    const { etag } = await ask('"none"')
    await set(csv, 'wont_do')
    await expect
      .poll(async () => (await ask(etag)).body)
      .toMatchObject({
        changed: [{ issue_number: csv, team_status: 'wont_do', status: 'created' }],
        removed: [],
      })
    const exported = async (format: string) =>
      (
        await world.app.inject({
          method: 'POST',
          url: '/api/insights/export',
          headers: { authorization: `Bearer ${corrected.workspace}` },
          payload: { format, issue_numbers: [csv, mail] },
        })
      ).body.split(/\r?\n/)
    const [head = '', first = ''] = await exported('csv')
    expect(head).toContain(',tags,team_status,customer_count,revenue,mention_date,')
    expect(first).toContain(',"","wont_do","0","",')
    const [one = '', another = ''] = await exported('jsonl')
    expect(JSON.parse(one)).toMatchObject({ issue_number: csv, team_status: 'wont_do' })
    expect(JSON.parse(another)).not.toHaveProperty('team_status')
  })
})

describe('corrections', () => {
  test('an insight takes the one of an insight that is merged into it, and undo takes it back', async () => {
    await set(csv, 'planned')
    const before = await corrected.hash(await corrected.lastNumber())
    const { correction_id: id } = await corrected.apply(csv, { kind: 'merge', into: mail })
    await expect.poll(() => teamStatus(mail)).toBe('planned')
    expect(await history(mail)).toMatchObject([{ to: 'planned', by: 'A' }])
    await corrected.undo(id)
    await corrected.group()
    await expect.poll(() => teamStatus(mail)).toBeUndefined()
    expect(await teamStatus(csv)).toBe('planned')
    expect(await corrected.hash(await corrected.lastNumber())).toBe(before)
  })

  test('one that has its own keeps it, and what was set after the merge stays after its undo', async () => {
    await set(csv, 'planned')
    await set(mail, 'wont_do')
    const { correction_id: id } = await corrected.apply(csv, { kind: 'merge', into: mail })
    expect(await teamStatus(mail)).toBe('wont_do')
    await set(mail, 'shipped')
    await corrected.undo(id)
    await corrected.group()
    await expect.poll(() => teamStatus(csv)).toBe('planned')
    expect(await teamStatus(mail)).toBe('shipped')
  })

  test('a person’s is taken before one that nobody chose, through merges in a row', async () => {
    const dark = Number(await corrected.issueOf('m2'))
    await put([
      { issue_number: csv, team_status: 'shipped', automatic: true },
      { issue_number: dark, team_status: 'in_progress' },
    ])
    await corrected.apply(csv, { kind: 'merge', into: dark })
    await corrected.apply(dark, { kind: 'merge', into: mail })
    await expect.poll(() => teamStatus(mail)).toBe('in_progress')
  })

  test('a split makes an insight without one, and a deleted insight comes back with its own', async () => {
    await set(csv, 'planned')
    const last = await corrected.lastNumber()
    await corrected.apply(csv, { kind: 'split', mentions: (await corrected.mentions(csv)).slice(0, 5) })
    await expect.poll(async () => (await corrected.list()).some((one) => one.issue_number > last)).toBe(true)
    expect(await teamStatus(last + 1)).toBeUndefined()
    expect(await teamStatus(csv)).toBe('planned')
    await world.call(corrected.workspace, 'DELETE', `/api/insights/${csv}`)
    await world.call(corrected.workspace, 'POST', `/api/insights/${csv}/restore`, {})
    await expect.poll(() => teamStatus(csv)).toBe('planned')
  })
})
