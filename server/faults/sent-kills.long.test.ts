import { setTimeout as pause } from 'node:timers/promises'
import { sendFeedback } from '@groundswell/contract/feedback/sent-feedback.ts'
import { listImports } from '@groundswell/contract/feedback.ts'
import { expect, it } from 'vitest'
import { extent, seed } from './extent.ts'
import { between, seeded } from './random.ts'
import { Stack } from './stack.ts'
import { until } from './until.ts'

const KILLS = extent({ whole: 4, sample: 1 })
const SENDERS = 3
const ITEMS = 20

type Batch = { items: { id: string; text: string }[]; answered: boolean }

it(`feedback that was acknowledged survives kill -9, and is stored once (SEED=${seed})`, async ({ task }) => {
  const random = seeded(seed)
  const stack = await Stack.start(['all-in-one'], [], { ENCODER: 'off' })
  try {
    await stack.furnish()
    const batches: Batch[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      const senders = Array.from({ length: SENDERS }, (_, sender) =>
        sendUntilItFails(stack, `${kill}-${sender}`, batches),
      )
      await until(
        'a call of this round to be answered',
        () => batches.some(({ items, answered }) => answered && items[0]?.id.startsWith(`${kill}-`)) || undefined,
      )
      await pause(between(random, 0, 500))
      for (const child of stack.children('all-in-one')) await stack.kill(child)
      task.meta.kills = kill + 1
      await Promise.all(senders)
      await stack.open('all-in-one')
      for (const batch of batches) await expectWhole(stack, batch)
    }
    const lost = batches.filter(({ answered }) => !answered)
    expect(lost.length).toBeGreaterThan(0)
    // Repeating them is all that a program has to do.
    for (const { items } of lost) await stack.client.call(sendFeedback, { body: { items } })
    const all = batches.flatMap(({ items }) => items)
    const stored = await stack.query<{ id: string; text: string }>(
      'select external_id as id, text from feedback_item order by id',
    )
    expect(new Map(stored.map(({ id, text }) => [id, text]))).toEqual(new Map(all.map(({ id, text }) => [id, text])))
    expect(stored).toHaveLength(all.length)
    const { imports } = await stack.client.call(listImports)
    expect(imports).toMatchObject([{ name: 'API', added: all.length }])
    expect(await stack.query('select count(distinct item_id)::int as items from import_row')).toEqual([
      { items: all.length },
    ])
    await until('all of it to be grouped', async () => {
      const [left] = await stack.query<{ count: string }>(
        'select count(*) as count from feedback_item where grouped_seq is null',
      )
      return Number(left?.count) === 0 || undefined
    })
  } finally {
    await stack.stop()
  }
})

async function sendUntilItFails(stack: Stack, name: string, batches: Batch[]): Promise<void> {
  for (let number = 0; ; number += 1) {
    const items = Array.from({ length: ITEMS }, (_, n) => ({
      id: `${name}-${number}-${n}`,
      text: `The export of ${name} fails for report ${number} with error ${n}`,
    }))
    const batch: Batch = { items, answered: false }
    batches.push(batch)
    try {
      await stack.client.call(sendFeedback, { body: { items } })
    } catch {
      return
    }
    batch.answered = true
  }
}

/** All of an acknowledged batch is stored; of another one all or nothing. */
async function expectWhole(stack: Stack, { items, answered }: Batch): Promise<void> {
  const [stored] = await stack.query<{ count: string }>(
    'select count(*) as count from feedback_item where external_id = any($1)',
    [items.map(({ id }) => id)],
  )
  const count = Number(stored?.count)
  expect([items[0]?.id, count === items.length || (!answered && count === 0)]).toEqual([items[0]?.id, true])
}
