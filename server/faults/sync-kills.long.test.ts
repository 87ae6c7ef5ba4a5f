import { setTimeout as pause } from 'node:timers/promises'
import { startSlack } from '@groundswell/connectors/sandbox/index.ts'
import { addConnection, listConnectors } from '@groundswell/contract/connections.ts'
import { expect, it } from 'vitest'
import { extent, seed } from './extent.ts'
import { between, seeded } from './random.ts'
import { Stack } from './stack.ts'
import { until } from './until.ts'

const KILLS = extent({ whole: 5, sample: 1 })
const ROUND_MS = 60_000

it(`a worker that reads a source is killed -9 (${KILLS}); the feedback is whole, nothing twice (SEED=${seed})`, async ({
  task,
}) => {
  const random = seeded(seed)
  const slack = await startSlack()
  slack.limit({ perMinute: null, objects: 15 })
  slack.fault('slow', 100_000, 'conversations.history')
  slack.fault('slow', 100_000, 'conversations.replies')
  const stack = await Stack.start(['serve', 'worker'], [], { SLACK_BASE_URL: slack.url, ENCODER: 'off' })
  try {
    await stack.furnish()
    const tile = async () => {
      const { connectors } = await stack.client.call(listConnectors)
      const connection = connectors.find(({ manifest }) => manifest.id === 'slack')?.connection
      return { status: connection?.status, read: connection?.progress?.read ?? 0, error: connection?.error }
    }
    await stack.client.call(addConnection, { params: { tile: 'slack' }, body: { bot_token: slack.botToken } })
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { read: before } = await tile()
      await until('the sync to go on', async () => (await tile()).read > before || undefined, { deadlineMs: ROUND_MS })
      await pause(between(random, 0, 800))
      expect(await tile()).toMatchObject({ status: 'syncing' })
      const [worker] = stack.children('worker')
      if (!worker) throw new Error('there is no worker')
      await stack.kill(worker)
      task.meta.kills = kill + 1
      await stack.open('worker')
    }
    await until('the sync to end', async () => (await tile()).status === 'connected' || undefined, {
      deadlineMs: 4 * ROUND_MS,
      explain: async () => `${JSON.stringify(await tile())}\n${stack.said()}`,
    })
    const rows = await stack.query<{ text: string }>('select text from feedback_item order by text')
    const whole = slack.workspace.all()
    expect(await tile()).toMatchObject({ read: whole.length, error: null })
    expect(rows).toHaveLength(whole.length)
    expect(stack.said()).not.toContain(slack.botToken)
  } finally {
    await stack.stop()
    await slack.stop()
  }
})
