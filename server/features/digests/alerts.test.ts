import { Digest, type DigestChoice } from '@groundswell/contract/digests.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { duringTests } from '../../platform/testing.ts'
import { markPushed, markRegressed, markResolved } from '../insights/index.ts'
import { noticeAlerts } from './alerts.ts'
import { sendDueMails } from './send.ts'
import { MailWorld } from './testing.ts'

let workspace: string
let address: string

const ALL: DigestChoice = {
  frequency: 'off',
  weekday: 1,
  hour: 9,
  time_zone: 'UTC',
  alerts: { spike: true, regression: true, themes: [7] },
  quiet: null,
}

const world = duringTests(() => MailWorld.start())
beforeEach(async () => {
  world.now = new Date('2026-03-02T10:20:00Z')
  ;({ workspace, address } = await world.member('ann'))
})

const choose = (choice: DigestChoice) => world.call(workspace, 'PUT', '/api/digest', choice)
const digest = async () => Digest.parse((await world.call(workspace, 'GET', '/api/digest')).json())
const mails = () => world.mailsTo(address)
const sweepAt = async (time: string) => {
  world.now = new Date(time)
  await noticeAlerts(world.services)
  await sendDueMails(world.services)
}

/** Mentions of an insight. Without a theme it was made long ago. */
async function mentions(number: number, at: string, count: number, theme?: number): Promise<void> {
  await world.mention(workspace, number, { at, count, ...(theme === undefined ? { createdAt: '2025-01-01' } : {}) })
  if (theme === undefined) return
  await world.inside(workspace, async (tx) => {
    await sql`insert into theme (workspace_id, id, name, by_person) values (${workspace}, ${theme}, 'Export', true)
      on conflict do nothing`.execute(tx)
    await sql`insert into insight_theme (workspace_id, issue_number, engine_theme)
      values (${workspace}, ${number}, ${theme})`.execute(tx)
  })
}

async function regress(number: number): Promise<void> {
  await world.inside(workspace, async (tx) => {
    await markPushed(tx, workspace, number)
    await markResolved(tx, workspace, number)
    await sql`update insight set heard = heard + 1 where issue_number = ${number}`.execute(tx)
    await markRegressed(tx, workspace)
    await sql`update insight_event set at = ${world.now}`.execute(tx)
    await sql`update workspace set revision = revision + 1`.execute(tx)
  })
}

test('a spike, a regression and a new insight in a watched theme are told in one mail, once', async () => {
  await mentions(1, '2026-01-20T10:00:00Z', 2)
  await mentions(2, '2026-01-20T10:00:00Z', 2)
  await choose(ALL)
  await sweepAt('2026-03-02T10:21:00Z')
  expect(mails()).toEqual([])
  await mentions(1, '2026-03-02T11:00:00Z', 5)
  await mentions(3, '2026-03-02T11:00:00Z', 2, 7)
  await mentions(4, '2026-03-02T11:00:00Z', 2, 8)
  await regress(2)
  await sweepAt('2026-03-02T11:01:00Z')
  await expect.poll(mails).toHaveLength(1)
  const [sent] = mails()
  expect(sent?.subject).toBe('Groundswell: issue 1 and 2 more')
  expect(sent?.text).toContain('MENTIONED FAR MORE OFTEN\n- issue 1 (5 mentions in a week, usually 0.2)')
  expect(sent?.text).toContain('REGRESSED\n- issue 2 (mentioned again after it was resolved)')
  expect(sent?.text).toContain('NEW IN A THEME YOU WATCH\n- issue 3 (Export)')
  expect(sent?.text).not.toContain('issue 4')
  await mentions(1, '2026-03-02T12:30:00Z', 1)
  await sweepAt('2026-03-02T12:31:00Z')
  expect(mails()).toHaveLength(1)
  expect((await digest()).mails).toMatchObject([{ kind: 'alert', state: 'sent' }])
})

test('what happened before alerts were turned on, or is not wanted, is no alert', async () => {
  await mentions(1, '2026-01-20T10:00:00Z', 2)
  await regress(1)
  world.now = new Date('2026-03-02T10:25:00Z')
  await choose({ ...ALL, alerts: { spike: false, regression: true, themes: [] } })
  await mentions(1, '2026-03-02T11:00:00Z', 9)
  await mentions(3, '2026-03-02T11:00:00Z', 2, 7)
  await sweepAt('2026-03-02T11:01:00Z')
  expect((await digest()).mails).toEqual([])
})

test('in quiet hours they wait for their end, several in one mail', async () => {
  for (const number of [1, 2]) await mentions(number, '2026-01-20T10:00:00Z', 2)
  await choose({ ...ALL, quiet: { from: 10, until: 14 } })
  await mentions(1, '2026-03-02T11:00:00Z', 5)
  await sweepAt('2026-03-02T11:01:00Z')
  await mentions(2, '2026-03-02T12:00:00Z', 5)
  await sweepAt('2026-03-02T12:01:00Z')
  await sweepAt('2026-03-02T13:59:00Z')
  expect(mails()).toEqual([])
  await sweepAt('2026-03-02T14:00:00Z')
  await expect.poll(mails).toHaveLength(1)
  expect(mails()[0]?.subject).toBe('Groundswell: issue 1 and 1 more')
})

test('a new insight that a watched customer mentioned is an alert with its name, and no other one is', async () => {
  const customer = crypto.randomUUID()
  await world.inside(workspace, (tx) =>
    sql`insert into customer (workspace_id, id, key, name, name_key) values (${workspace}, ${customer}, 'acme.com', 'Acme', 'acme')`.execute(
      tx,
    ),
  )
  await choose({ ...ALL, alerts: { spike: false, regression: false, themes: [], customers: [customer] } })
  expect((await digest()).choice?.alerts.customers).toEqual([customer])
  await mentions(1, '2026-03-02T11:00:00Z', 1, 7)
  await mentions(2, '2026-03-02T11:00:00Z', 1, 7)
  await mentions(3, '2026-03-02T11:00:00Z', 1)
  await world.inside(workspace, (tx) =>
    sql`insert into insight_customer (workspace_id, issue_number, customer_id, mentions)
      values (${workspace}, 1, ${customer}, 1), (${workspace}, 2, ${customer}, 0), (${workspace}, 3, ${customer}, 1)`.execute(
      tx,
    ),
  )
  await sweepAt('2026-03-02T11:01:00Z')
  await expect.poll(mails).toHaveLength(1)
  expect(mails()[0]?.subject).toBe('Groundswell: issue 1')
  expect(mails()[0]?.text).toContain('NEW FROM A CUSTOMER YOU WATCH\n- issue 1 (Acme)')
})

test('a second attempt waits for the end of quiet hours too', async () => {
  await mentions(1, '2026-01-20T10:00:00Z', 2)
  await choose({ ...ALL, quiet: { from: 12, until: 14 } })
  await mentions(1, '2026-03-02T11:59:00Z', 5)
  world.mail.refuse.next = 1
  await sweepAt('2026-03-02T11:59:30Z')
  await sweepAt('2026-03-02T12:01:00Z')
  await sweepAt('2026-03-02T13:00:00Z')
  expect(mails()).toEqual([])
  await sweepAt('2026-03-02T14:00:00Z')
  await expect.poll(mails).toHaveLength(1)
})

test('the alerts of a mail that is given up are in the next', async () => {
  for (const number of [1, 2]) await mentions(number, '2026-01-20T10:00:00Z', 2)
  await choose(ALL)
  await mentions(1, '2026-03-02T11:00:00Z', 5)
  world.mail.refuse.next = 6
  for (const time of ['11:00', '11:01', '11:06', '11:36', '13:36', '19:36']) await sweepAt(`2026-03-02T${time}:30Z`)
  expect((await digest()).mails).toMatchObject([{ state: 'refused' }])
  await mentions(2, '2026-03-02T20:00:00Z', 5)
  await sweepAt('2026-03-02T20:01:00Z')
  await expect.poll(mails).toHaveLength(1)
  expect(mails()[0]?.subject).toBe('Groundswell: issue 1 and 1 more')
})

test('mails are an hour apart; what comes between is in the next', async () => {
  for (const number of [1, 2, 3]) await mentions(number, '2026-01-20T10:00:00Z', 2)
  await choose(ALL)
  for (const [number, minute] of [
    [1, '00'],
    [2, '10'],
    [3, '20'],
  ] as const) {
    await mentions(number, `2026-03-02T11:${minute}:00Z`, 5)
    await sweepAt(`2026-03-02T11:${minute}:30Z`)
  }
  expect((await digest()).mails.map(({ state }) => state)).toEqual(['waiting', 'sent'])
  await sweepAt('2026-03-02T12:01:00Z')
  await expect.poll(mails).toHaveLength(2)
  expect(mails()[1]?.subject).toBe('Groundswell: issue 2 and 1 more')
})

test('the link in it ends alerts and leaves the digest', async () => {
  await mentions(1, '2026-01-20T10:00:00Z', 2)
  await choose({ ...ALL, frequency: 'weekly' })
  await mentions(1, '2026-03-02T11:00:00Z', 5)
  await sweepAt('2026-03-02T11:01:00Z')
  await expect.poll(mails).toHaveLength(1)
  const path = new URL(/Unsubscribe: (\S+)/.exec(mails()[0]?.text ?? '')?.[1] ?? '').pathname
  expect((await world.app.inject({ method: 'POST', url: path })).statusCode).toBe(200)
  expect((await digest()).choice).toMatchObject({
    frequency: 'weekly',
    alerts: { spike: false, regression: false, themes: [] },
  })
})

test('a refused mail is tried again with the same alerts, and the preview shows the last week', async () => {
  await mentions(1, '2026-01-20T10:00:00Z', 2)
  await choose(ALL)
  await mentions(1, '2026-03-02T11:00:00Z', 5)
  world.mail.refuse.next = 1
  await sweepAt('2026-03-02T11:01:00Z')
  expect(mails()).toEqual([])
  await sweepAt('2026-03-02T11:02:00Z')
  await expect.poll(mails).toHaveLength(1)
  const preview = await world.call(workspace, 'GET', '/api/digest/preview?mail=alerts')
  expect(preview.json()).toMatchObject({ subject: 'Groundswell: issue 1', nothing: false })
})

test('are looked for only in workspaces with people who want them, and there only after a change', async () => {
  await noticeAlerts(world.services)
  await world.member('bo')
  expect(await noticeAlerts(world.services)).toEqual({ visited: 0, failed: [] })
  await choose(ALL)
  expect(await noticeAlerts(world.services)).toEqual({ visited: 1, failed: [] })
  expect(await noticeAlerts(world.services)).toEqual({ visited: 0, failed: [] })
})
