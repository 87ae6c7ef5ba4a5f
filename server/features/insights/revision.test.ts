import { expect, test } from 'vitest'
import type { ListenGaps } from '../../platform/db/listener.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { testDatabase, testWorkspace } from '../../platform/db/testing.ts'
import type { Services } from '../../platform/services.ts'
import { Revisions, raiseRevision } from './revision.ts'

/** A database listener that the test controls. */
function controlledListener() {
  const channel: { send: (payload: string) => void; gaps: ListenGaps } = { send: () => undefined, gaps: {} }
  const db = {
    listen: async (_channel: string, onMessage: (payload: string) => void, gaps: ListenGaps = {}) => {
      channel.send = onMessage
      channel.gaps = gaps
      return async () => undefined
    },
  }
  return { channel, revisions: new Revisions(db as unknown as Services['db']) }
}

const reading = (revision: number) => async () => ({ revision, value: 'read' })

test('caches the revision that was read and those announced afterwards', async () => {
  const { channel, revisions } = controlledListener()
  expect(revisions.get('w')).toBeUndefined()
  expect(await revisions.readAndCache('w', reading(3))).toBe('read')
  expect(revisions.get('w')).toBe(3)
  channel.send('w:4')
  expect(revisions.get('w')).toBe(4)
  channel.send('w:2')
  expect(revisions.get('w')).toBe(4)
  channel.send('other:9')
  expect(revisions.get('other')).toBeUndefined()
})

test('without a listener nothing is cached, so that no poll gets an older list', async () => {
  const { channel, revisions } = controlledListener()
  await revisions.readAndCache('w', reading(3))
  channel.gaps.onLost?.()
  expect(revisions.get('w')).toBeUndefined()
  await revisions.readAndCache('w', reading(4))
  expect(revisions.get('w')).toBeUndefined()
  channel.gaps.onReconnect?.()
  await revisions.readAndCache('w', reading(5))
  expect(revisions.get('w')).toBe(5)
})

test('a revision that was being read when the listener was lost is not cached', async () => {
  const { channel, revisions } = controlledListener()
  await revisions.readAndCache('w', reading(1))
  await revisions.readAndCache('w', async () => {
    channel.gaps.onLost?.()
    channel.gaps.onReconnect?.()
    return { revision: 2, value: 'read' }
  })
  expect(revisions.get('w')).toBeUndefined()
})

test('a revision that was announced while an earlier one was being read is cached in its place', async () => {
  const { channel, revisions } = controlledListener()
  await revisions.readAndCache('other', reading(1))
  await revisions.readAndCache('w', async () => {
    channel.send('w:8')
    channel.send('w:7')
    return { revision: 6, value: 'read' }
  })
  expect(revisions.get('w')).toBe(8)
})

test('a change by this process is known when its transaction ends, before the database announces it; a rolled-back one is not', async () => {
  const database = await testDatabase()
  const { kysely } = database.db
  const workspaceId = await testWorkspace(database.db)
  const { channel, revisions } = controlledListener()
  // The database's own notification never arrives here.
  const db = { kysely, deliver: (_channel: string, payload: string) => channel.send(payload) }
  await revisions.readAndCache(workspaceId, reading(1))
  const refused = inWorkspace(db, workspaceId, async (tx) => {
    await raiseRevision(tx, workspaceId)
    throw new Error('no')
  })
  await expect(refused).rejects.toThrow('no')
  expect(revisions.get(workspaceId)).toBe(1)
  const raised = await inWorkspace(db, workspaceId, (tx) => raiseRevision(tx, workspaceId))
  expect(raised).toBe(2)
  expect(revisions.get(workspaceId)).toBe(2)
  await database.cleanup()
})
