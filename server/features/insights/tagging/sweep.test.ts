import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { withWorld, world } from '../testing.ts'
import { sweepTags } from './jobs.ts'
import { tagWorkspace } from './run.ts'

const QUIET = { name: 'Quiet', description: 'Days since the last mention of this insight, as a number' }
const PEOPLE = { name: 'People', description: 'How many customers have mentioned this insight so far, in total' }

let workspace: string

withWorld()
beforeEach(async () => {
  world.now = new Date('2026-03-04T10:20:00Z')
  workspace = await world.workspace()
})

async function use(tag: { name: string; description: string }): Promise<void> {
  const settings = JSON.stringify({ method: 'auto', min_inputs: 3, categories: [tag] })
  await world.inside(workspace, (tx) =>
    sql`update workspace set settings = ${settings}::jsonb, revision = revision + 1`.execute(tx),
  )
  await world.insight(workspace, 1, [{ message: 'the export fails', text: 'the export fails' }])
}

/** Sweeps, and returns whether a job was sent for the workspace. */
async function sweep(): Promise<boolean> {
  await sql`delete from queue.job where name = 'tag-insights'`.execute(world.services.db.kysely)
  await sweepTags(world.services)
  const { rows } = await sql<{ workspaceId: string }>`
    select data ->> 'workspaceId' as "workspaceId" from queue.job where name = 'tag-insights'`.execute(
    world.services.db.kysely,
  )
  return rows.some(({ workspaceId }) => workspaceId === workspace)
}

test('requests tagging until it is done, and again when an insight changed', async () => {
  await use(PEOPLE)
  expect(await sweep()).toBe(true)
  expect(await sweep()).toBe(true)
  await tagWorkspace(world.services, workspace)
  expect(await sweep()).toBe(false)
  await world.insight(workspace, 1, [{ message: 'it fails again', text: 'it fails again' }])
  expect(await sweep()).toBe(true)
})

test('requests a recount an hour after the last one, although nothing changed', async () => {
  await use(QUIET)
  await tagWorkspace(world.services, workspace)
  world.now = new Date('2026-03-04T10:50:00Z')
  expect(await sweep()).toBe(false)
  world.now = new Date('2026-03-04T11:19:59Z')
  expect(await sweep()).toBe(false)
  world.now = new Date('2026-03-04T11:20:00Z')
  expect(await sweep()).toBe(true)
})
