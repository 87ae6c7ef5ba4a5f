import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { newThreads, type Threads } from '../../../platform/threads.ts'
import { GroupingClient } from './client.ts'

const workspaceId = 'f6f1c0de-0000-4000-8000-000000000001'
const judgement = (client: GroupingClient) =>
  client.judge({ op: 'judge', workspaceId, version: 0, limit: 1, answers: [] })

async function open(client: GroupingClient): Promise<void> {
  await client.open(workspaceId, null, null)
  await client.ready({ op: 'ready', workspaceId, version: 0, removed: [], locked: [] })
}

test('a thread that the next client gets holds nothing of the one before, and works for it alone', async () => {
  const ended: Worker[] = []
  const threads: Threads = {
    start: (module, name) => ended.pop() ?? newThreads.start(module, name),
    end: async (worker, { busy }) => {
      expect(busy).toBe(false)
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
      ended.push(worker)
    },
  }
  const first = new GroupingClient(threads)
  await open(first)
  expect(await judgement(first)).not.toBeNull()
  await first.stop()
  expect(ended).toHaveLength(1)

  const next = new GroupingClient(threads)
  expect(await judgement(next)).toBeNull()
  expect(ended).toHaveLength(0)
  await open(next)
  expect(await judgement(next)).not.toBeNull()
  // The first one has none any more: it gets another thread.
  expect(await judgement(first)).toBeNull()
  expect(await judgement(next)).not.toBeNull()
  await Promise.all([first.stop(), next.stop()])
  await Promise.all(ended.map((worker) => worker.terminate()))
})

test('a thread that is stopped before it answers is ended, and its caller is told', async () => {
  const ended: boolean[] = []
  const client = new GroupingClient({
    ...newThreads,
    end: async (worker, state) => {
      ended.push(state.busy)
      await newThreads.end(worker, state)
    },
  })
  const opened = client.open(workspaceId, null, null)
  await Promise.all([expect(opened).rejects.toThrow('the grouping thread ended'), client.stop()])
  expect(ended).toEqual([true])
  await open(client)
  await client.stop()
  expect(ended).toEqual([true, false])
})
