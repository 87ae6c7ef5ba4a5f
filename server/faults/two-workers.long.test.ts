import { startImport } from '@groundswell/contract/feedback.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { seeded } from './random.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { faultsOf, isSettled, progressOf } from './soundness.ts'
import { Stack } from './stack.ts'
import { asFile, topicRows } from './topic-rows.ts'
import { until } from './until.ts'

const DEADLINE_MS = 240_000

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

it('pushes each insight once when two workers run at the same time', async () => {
  for (const name of ['one', 'two', 'three']) await importFile(name, 11)
  await settle()
  expect(await faultsOf(stack, texts, receiver.arrivals)).toEqual([])
  expect(receiver.arrivals.length).toBeGreaterThan(10)
  expect(new Set(receiver.arrivals.map((arrival) => arrival.id)).size).toBe(receiver.arrivals.length)
})

it('keeps to one id when both workers die between "sent" and "recorded"', async () => {
  receiver.hold()
  await importFile('held', 12)
  const sent = await until('pushes that wait for their answer', () => openIds(2))
  for (const worker of stack.children('worker')) await stack.kill(worker)
  receiver.release()
  await stack.open('worker')
  await stack.open('worker')
  await settle()
  expect(await faultsOf(stack, texts, receiver.arrivals)).toEqual([])
  // Proves that the crash happened between the two: what had been accepted arrived once more, under the same id.
  for (const id of sent) {
    expect(receiver.arrivals.filter((arrival) => arrival.id === id).length, `arrivals of ${id}`).toBeGreaterThan(1)
  }
})

it('lets the other worker finish what a killed one had sent, and never sends one event twice at a time', async () => {
  receiver.hold()
  await importFile('shared', 13)
  await until('pushes that wait for their answer', () => openIds(2))
  const [first] = stack.children('worker')
  if (first) await stack.kill(first)
  receiver.release()
  await settle()
  expect(await faultsOf(stack, texts, receiver.arrivals)).toEqual([])
  expect(receiver.arrivals.filter((arrival) => arrival.overlaps)).toEqual([])
})

async function importFile(name: string, seed: number): Promise<void> {
  const rows = topicRows(seeded(seed + name.length), name)
  await stack.client.call(startImport, { query: { name: `${name}.jsonl` }, raw: asFile(rows) })
  texts.push(...rows.map((row) => row.text))
}

function openIds(least: number): string[] | undefined {
  return receiver.open() >= least ? receiver.arrivals.map((arrival) => arrival.id) : undefined
}

async function settle(): Promise<void> {
  await until('everything to be done', async () => isSettled(await progressOf(stack)) || undefined, {
    deadlineMs: DEADLINE_MS,
    explain: async () => `${JSON.stringify(await progressOf(stack))}\n${stack.said()}`,
  })
}
