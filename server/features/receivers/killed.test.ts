import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { duringTests } from '../../platform/testing.ts'
import { ReceiverWorld, verified } from './testing.ts'

const children: ChildProcess[] = []

const receivers = duringTests(() => ReceiverWorld.start())
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function startWorker(workspaceId: string, receiverId: string): ChildProcess {
  const script = fileURLToPath(new URL('./test-worker.ts', import.meta.url))
  const database = receivers.services.db.pool.options.connectionString ?? ''
  const child = spawn(process.execPath, [script, database, workspaceId, receiverId], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  children.push(child)
  return child
}

test('what a killed worker was sending is sent again under the same id, with the same body', async () => {
  const workspace = await receivers.workspace()
  const arrived = Promise.withResolvers<void>()
  let isHeld = true
  const { id, secret, server } = await receivers.add(workspace, null, (_, response) => {
    if (isHeld) arrived.resolve()
    else response.end('ok')
  })
  await receivers.setTeamStatus(workspace, 1, 'planned')
  const child = startWorker(workspace, id)
  await arrived.promise
  child.kill('SIGKILL')
  await once(child, 'exit')
  isHeld = false

  expect(await receivers.deliveries(workspace, id)).toMatchObject([{ state: 'sending', attempts: 1 }])
  await receivers.deliver(workspace)
  expect(server.seen).toHaveLength(1)

  // The insight changes meanwhile; what is sent again does not.
  await receivers.change(workspace, 1, `name = 'another name'`)
  receivers.time.passMs = 61_000
  expect(await receivers.deliveries(workspace, id)).toMatchObject([{ state: 'waiting', attempts: 1 }])
  await receivers.deliver(workspace)
  expect(await receivers.deliveries(workspace, id)).toMatchObject([{ state: 'delivered', attempts: 2, status: 200 }])
  const [first, second, ...rest] = verified(server, secret)
  expect(rest).toEqual([])
  expect(second).toEqual(first)
  expect(server.seen[1]?.body).toBe(server.seen[0]?.body)
})
