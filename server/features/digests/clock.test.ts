import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { duringTests } from '../../platform/testing.ts'
import { sendDueMails } from './send.ts'
import { MailWorld } from './testing.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAILY = {
  frequency: 'daily',
  weekday: 1,
  hour: 9,
  time_zone: 'UTC',
  alerts: { spike: false, regression: false, themes: [] },
  quiet: null,
}

let workspace: string
let address: string

const world = duringTests(() => MailWorld.start())
beforeEach(async () => {
  ;({ workspace, address } = await world.member('ann'))
})

const texts = () => world.mailsTo(address).map(({ text }) => text)
const sweepAt = async (time: string | Date) => {
  world.now = new Date(time)
  await sendDueMails(world.services)
}

describe('when the clock jumps an hour', () => {
  beforeEach(async () => {
    world.now = new Date('2026-03-02T10:20:00Z')
    await world.call(workspace, 'PUT', '/api/digest', DAILY)
    await world.mention(workspace, 1, { at: '2026-03-02T12:00:00Z', count: 4 })
  })

  test('ahead, a digest comes an hour early, and once', async () => {
    await sweepAt('2026-03-03T09:05:00Z')
    for (const time of ['08:06', '08:59', '09:00', '09:06', '10:06']) await sweepAt(`2026-03-03T${time}:00Z`)
    await expect.poll(texts).toHaveLength(1)
    await world.mention(workspace, 2, { at: '2026-03-03T12:00:00Z', count: 4 })
    await sweepAt('2026-03-04T09:00:00Z')
    await expect.poll(texts).toHaveLength(2)
    expect(texts()[1]).toContain('issue 2')
  })

  test('back, one that was sent is not sent again, and one that is due is not lost', async () => {
    await sweepAt('2026-03-03T09:05:00Z')
    for (const time of ['08:06', '09:00', '09:06']) await sweepAt(`2026-03-03T${time}:00Z`)
    await world.mention(workspace, 2, { at: '2026-03-03T12:00:00Z', count: 4 })
    for (const time of ['09:05', '08:06', '09:05']) await sweepAt(`2026-03-04T${time}:00Z`)
    await expect.poll(texts).toHaveLength(2)
    expect(texts()[1]).toContain('issue 2')
  })
})

test('what arrives after a clock that was ahead is corrected is in the next digest', async () => {
  const now = Date.now()
  const isDue = () =>
    world.inside(workspace, (tx) => sql`update digest_choice set next_at = ${new Date(now)}`.execute(tx))
  const at = (ms: number) => new Date(now + ms).toISOString()
  world.now = new Date(now - HOUR_MS)
  await world.call(workspace, 'PUT', '/api/digest', DAILY)
  await world.mention(workspace, 1, { at: at(-30 * MINUTE_MS), count: 4 })
  await isDue()
  await sweepAt(at(HOUR_MS))
  await expect.poll(texts).toHaveLength(1)
  await world.mention(workspace, 2, { at: at(1_000), count: 4 })
  await isDue()
  await sweepAt(at(3 * MINUTE_MS))
  await expect.poll(texts).toHaveLength(2)
  expect(texts()[1]).toContain('issue 2')
  expect(texts()[1]).not.toContain('issue 1 (4 mentions)\n  https')
})
