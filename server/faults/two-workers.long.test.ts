import { startImport } from '@groundswell/contract/feedback.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chosen, extent, seed } from './extent.ts'
import { seeded } from './random.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { faultsOf, isSettled, lastingFaults, progressOf, SETTLE_EVERY_MS } from './soundness.ts'
import { Stack } from './stack.ts'
import { asFile, topicRows } from './topic-rows.ts'
import { until } from './until.ts'

const DEADLINE_MS = 900_000
const FILE_SHARE = extent({ whole: 1, sample: 0.4 })

let receiver: Receiver
let stack: Stack
let texts: string[]

beforeEach(async () => {
  texts = []
  receiver = await startReceiver()
  stack = await Stack.start(['serve', 'worker', 'worker'], [], { ENCODER: 'off' })
  await stack.furnish(receiver.url)
})

afterEach(async () => {
  await stack.stop()
  await receiver.stop()
})

/** What a test does to the workers; it returns how many it killed. */
type Case = { name: string; run: () => Promise<number> }

const calm: Case = {
  name: 'pushes each insight once when two workers run at the same time',
  run: async () => {
    for (const name of ['one', 'two', 'three']) await importFile(name)
    await settle()
    expect(receiver.arrivals.length).toBeGreaterThan(10)
    expect(new Set(receiver.arrivals.map((arrival) => arrival.id)).size).toBe(receiver.arrivals.length)
    return 0
  },
}

const kills: Case[] = [
  {
    name: 'keeps to one id when both workers die between "sent" and "recorded"',
    run: async () => {
      receiver.hold()
      await importFile('held')
      const sent = await until('pushes that wait for their answer', () => openIds(2))
      for (const worker of stack.children('worker')) await stack.kill(worker)
      receiver.release()
      await stack.open('worker')
      await stack.open('worker')
      await settle()
      // Proves that the crash happened between the two: what had been accepted arrived once more, under the same id.
      for (const id of sent) {
        expect(receiver.arrivals.filter((arrival) => arrival.id === id).length, `arrivals of ${id}`).toBeGreaterThan(1)
      }
      return 2
    },
  },
  {
    name: 'lets the other worker finish what a killed one had sent, and never sends one event twice at a time',
    run: async () => {
      receiver.hold()
      await importFile('shared')
      await until('pushes that wait for their answer', () => openIds(2))
      const [first] = stack.children('worker')
      if (!first) throw new Error('there is no worker')
      await stack.kill(first)
      receiver.release()
      await settle()
      expect(receiver.arrivals.filter((arrival) => arrival.overlaps)).toEqual([])
      return 1
    },
  },
]

it.for(chosen(kills, [calm]))('$name', async ({ run }, { task }) => {
  task.meta.kills = await run()
  expect(await lastingFaults(() => faultsOf(stack, texts, receiver.arrivals))).toEqual([])
})

async function importFile(name: string): Promise<void> {
  const rows = topicRows(seeded(seed + name.length), name, FILE_SHARE)
  await stack.client.call(startImport, { query: { name: `${name}.jsonl` }, raw: asFile(rows) })
  texts.push(...rows.map((row) => row.text))
}

function openIds(least: number): string[] | undefined {
  return receiver.open() >= least ? receiver.arrivals.map((arrival) => arrival.id) : undefined
}

async function settle(): Promise<void> {
  await until('everything to be done', async () => isSettled(await progressOf(stack)) || undefined, {
    deadlineMs: DEADLINE_MS,
    everyMs: SETTLE_EVERY_MS,
    explain: async () => `${JSON.stringify(await progressOf(stack))}\n${stack.said()}`,
  })
}
