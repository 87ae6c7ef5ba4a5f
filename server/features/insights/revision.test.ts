import { expect, test } from 'vitest'
import type { ListenGaps } from '../../platform/db/listen.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { testDatabase, testWorkspace } from '../../platform/db/testing.ts'
import type { Services } from '../../platform/services.ts'
import { Revisions, raiseRevision } from './revision.ts'

/** A database listener that the test controls. */
function speakable() {
  const ear: { say: (payload: string) => void; gaps: ListenGaps } = { say: () => undefined, gaps: {} }
  const db = {
    listen: async (_channel: string, onMessage: (payload: string) => void, gaps: ListenGaps = {}) => {
      ear.say = onMessage
      ear.gaps = gaps
      return async () => undefined
    },
  }
  return { ear, revisions: new Revisions(db as unknown as Services['db']) }
}

const reading = (revision: number) => async () => ({ revision, value: 'read' })

test('caches the revision that was read and those announced afterwards', async () => {
  const { ear, revisions } = speakable()
  expect(revisions.get('w')).toBeUndefined()
  expect(await revisions.readAndCache('w', reading(3))).toBe('read')
  expect(revisions.get('w')).toBe(3)
  ear.say('w:4')
  expect(revisions.get('w')).toBe(4)
  ear.say('w:2')
  expect(revisions.get('w')).toBe(4)
  ear.say('other:9')
  expect(revisions.get('other')).toBeUndefined()
})

test('without a listener nothing is cached, so that no poll gets an older list', async () => {
  const { ear, revisions } = speakable()
  await revisions.readAndCache('w', reading(3))
  ear.gaps.onLost?.()
  expect(revisions.get('w')).toBeUndefined()
  await revisions.readAndCache('w', reading(4))
  expect(revisions.get('w')).toBeUndefined()
  ear.gaps.onReconnect?.()
  await revisions.readAndCache('w', reading(5))
  expect(revisions.get('w')).toBe(5)
})

test('a revision that was being read when the listener was lost is not cached', async () => {
  const { ear, revisions } = speakable()
  await revisions.readAndCache('w', reading(1))
  await revisions.readAndCache('w', async () => {
    ear.gaps.onLost?.()
    ear.gaps.onReconnect?.()
    return { revision: 2, value: 'read' }
  })
  expect(revisions.get('w')).toBeUndefined()
})

test('a change by this process counts before it is announced; the list is read again and then cached', async () => {
  const database = await testDatabase()
  const { db } = database
  const workspaceId = await testWorkspace(db)
  const { revisions } = speakable()
  await revisions.readAndCache(workspaceId, reading(1))
  expect(revisions.get(workspaceId)).toBe(1)
  const raised = await inWorkspace(db, workspaceId, (tx) => raiseRevision(tx, workspaceId))
  expect(revisions.get(workspaceId)).toBeUndefined()
  await revisions.readAndCache(workspaceId, reading(raised))
  expect(revisions.get(workspaceId)).toBe(raised)
  await database.cleanup()
})
