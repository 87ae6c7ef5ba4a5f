import { Digest } from '@groundswell/contract/digests.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Caller } from '../../platform/http/handle.ts'
import { duringTests } from '../../platform/testing.ts'
import { notices } from './notices.ts'
import { sendDueMails } from './send.ts'
import { MailWorld } from './testing.ts'

let workspace: string
/** The address of the member whose id is that of the workspace. */
let address: string
/** Somebody else in the workspace. */
let bo: string

const world = duringTests(() => MailWorld.start())
beforeEach(async () => {
  world.now = new Date('2026-03-02T10:20:00Z')
  ;({ workspace, address } = await world.member('ann'))
  bo = crypto.randomUUID()
  await withoutWorkspace(world.services.db.accounts, (tx) =>
    sql`insert into account (id, email, name, password_hash) values (${bo}, ${`${bo}@example.com`}, 'Bo', 'none')`.execute(
      tx,
    ),
  )
  await world.inside(workspace, (tx) =>
    sql`insert into member (workspace_id, account_id, role) values (${workspace}, ${bo}, 'member')`.execute(tx),
  )
  await world.mention(workspace, 1, { at: '2026-02-01T10:00:00Z', count: 4 })
  await world.mention(workspace, 2, { at: '2026-02-01T10:00:00Z', count: 4 })
})

const byBo = () => ({ workspaceId: workspace, accountId: bo }) as Caller
const assign = (numbers: number[], to: string | null = workspace) =>
  world.inside(workspace, async (tx) => {
    await sql`update insight set assigned_to = ${to} where issue_number = any(${numbers}::int[])`.execute(tx)
    if (to === null) return
    const changes = numbers.map((issueNumber) => ({ issueNumber, accountId: to }))
    await notices(world.services).assigned(tx, byBo(), changes)
  })
const mention = (text: string, issueNumber = 1) =>
  world.inside(workspace, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into insight_comment (workspace_id, issue_number, account_id, text, mentions, written_at)
      values (${workspace}, ${issueNumber}, ${bo}, ${text}, ${[workspace]}::uuid[], ${world.now}) returning id`.execute(
      tx,
    )
    const commentId = rows[0]?.id ?? ''
    const told = { issueNumber, commentId, accountIds: [workspace] }
    await notices(world.services).mentioned(tx, byBo(), told)
    return {
      tell: () => world.inside(workspace, (again) => notices(world.services).mentioned(again, byBo(), told)),
      id: commentId,
    }
  })
const mails = () => world.mailsTo(address)
const sweepAt = async (time: string) => {
  world.now = new Date(time)
  await sendDueMails(world.services)
}
const digest = async () => Digest.parse((await world.call(workspace, 'GET', '/api/digest')).json())
const OFF = {
  frequency: 'off',
  weekday: 1,
  hour: 9,
  time_zone: 'UTC',
  alerts: { spike: false, regression: false, themes: [] },
  quiet: null,
}
const choose = (more: object) => world.call(workspace, 'PUT', '/api/digest', { ...OFF, ...more })

describe('somebody who is assigned insights or mentioned', () => {
  test('gets one mail for all within a minute, once, with links', async () => {
    await assign([1])
    await assign([1, 2])
    await mention('Look at this,\n@ann <b>')
    await sweepAt('2026-03-02T10:20:59Z')
    expect(mails()).toEqual([])
    await sweepAt('2026-03-02T10:21:00Z')
    await sweepAt('2026-03-02T10:22:00Z')
    await expect.poll(mails).toHaveLength(1)
    const [sent] = mails()
    expect(sent?.subject).toBe('Groundswell: 2 assigned to you, 1 mention')
    expect(sent?.text).toContain(
      'ASSIGNED TO YOU\n- issue 1 (by Bo)\n  https://feedback.example/insights?issue=1\n- issue 2',
    )
    expect(sent?.text).toContain('YOU WERE MENTIONED\n- issue 1 (Bo: “Look at this, @ann <b>”)')
    expect(sent?.html).toContain('@ann &lt;b&gt;')
    expect((await digest()).mails).toMatchObject([{ kind: 'notice', state: 'sent' }])
  })

  test('gets none about what was undone, deleted or turned off before it was sent', async () => {
    await assign([1])
    await assign([1], null)
    const { id } = await mention('@ann')
    await world.inside(workspace, (tx) => sql`delete from insight_comment where id = ${id}`.execute(tx))
    await sweepAt('2026-03-02T10:21:00Z')
    expect((await digest()).mails).toMatchObject([{ state: 'nothing' }])
    await assign([2])
    expect((await choose({ about_me: false })).statusCode).toBe(200)
    await assign([1])
    await mention('@ann')
    await sweepAt('2026-03-02T10:30:00Z')
    expect(mails()).toEqual([])
    expect((await digest()).about_me).toBe(false)
    await choose({ about_me: true })
    await mention('@ann, again')
    await sweepAt('2026-03-02T10:40:00Z')
    await expect.poll(mails).toHaveLength(1)
    expect(mails()[0]?.subject).toBe('Groundswell: you were mentioned in issue 1')
    expect(mails()[0]?.text).not.toContain('issue 2')
  })

  test('gets one mail about a comment, however often it is changed', async () => {
    const { tell } = await mention('@ann')
    await sweepAt('2026-03-02T10:21:00Z')
    await tell()
    await sweepAt('2026-03-02T10:30:00Z')
    await expect.poll(mails).toHaveLength(1)
  })

  test('gets the mail about the insight that it was merged into', async () => {
    await mention('@ann', 2)
    await world.inside(workspace, (tx) =>
      sql`update insight set ended_at = now(), merged_into = 1 where issue_number = 2`.execute(tx),
    )
    await sweepAt('2026-03-02T10:21:00Z')
    await expect.poll(mails).toHaveLength(1)
    expect(mails()[0]?.text).toContain(
      '- issue 1 (Bo: “@ann”)\n  https://feedback.example/insights?issue=1&tab=activity',
    )
  })

  test('waits for the end of the quiet hours, and unsubscribes by the link in the mail from these mails only', async () => {
    await choose({ frequency: 'weekly', quiet: { from: 10, until: 12 } })
    await assign([1])
    await sweepAt('2026-03-02T10:21:00Z')
    expect(mails()).toEqual([])
    await sweepAt('2026-03-02T12:00:00Z')
    await expect.poll(mails).toHaveLength(1)
    const [, link = ''] = /Unsubscribe: (\S+)/.exec(mails()[0]?.text ?? '') ?? []
    const url = new URL(link).pathname
    const page = await world.app.inject({ method: 'GET', url })
    expect(page.body).toContain('Unsubscribe from mails about assignments and mentions?')
    expect((await digest()).about_me).toBe(true)
    expect((await world.app.inject({ method: 'POST', url })).statusCode).toBe(200)
    expect(await digest()).toMatchObject({ about_me: false, choice: { frequency: 'weekly' } })
  })
})
