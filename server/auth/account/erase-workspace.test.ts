import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { decide, startSlack } from '@groundswell/connectors/sandbox/index.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { accountRoutes } from '../../features/accounts/index.ts'
import { connectionJobs, connectionRoutes } from '../../features/connections/index.ts'
import { feedbackRoutes } from '../../features/feedback/index.ts'
import { syncsView } from '../../features/syncs/index.ts'
import { fillWorkspace, tablesOfWorkspaces } from '../../platform/db/tenants/testing.ts'
import { openConnection } from '../../platform/db/testing.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { createQueue, defineJob, type Queue } from '../../platform/queue/queue.ts'
import { duringTests } from '../../platform/testing.ts'
import { appOfFile, configWith } from '../../testing.ts'
import { authJobs } from '../index.ts'

const PASSWORD = 'a sentence nobody guesses'
const anyJob = defineJob({ name: 'test.any', schema: z.object({ workspaceId: z.uuid() }), tries: 1 })

let ann: TestPerson
let bo: TestPerson
let worker: Queue | undefined

const slack = duringTests(() => startSlack({ company: [] }))
const test = appOfFile(
  (services) => [
    ...accountRoutes(services),
    ...connectionRoutes(services, { syncs: syncsView }),
    ...feedbackRoutes(services, { stored: async () => undefined }),
  ],
  () => ({
    authRateLimits: null,
    ...configWith(slack),
  }),
)

const owner = duringTests(() => openConnection(test.database.ownerUrl))
beforeEach(async () => {
  ann = await test.person(`ann-${randomUUID()}`, { password: PASSWORD })
  bo = await test.person(`bo-${randomUUID()}`, { password: PASSWORD })
  for (const { workspaceId } of [ann, bo]) await fillWorkspace(owner, workspaceId)
})
afterEach(async () => {
  await worker?.stop({ graceSeconds: 1 })
  worker = undefined
})

/** Deletes the workspace that the person works in. */
const remove = (as: TestPerson) =>
  test.call('POST', '/api/workspace/delete', { as, payload: { name: as.name, password: PASSWORD } })
const leave = (as: TestPerson) => test.call('POST', '/api/account/delete', { as, payload: { password: PASSWORD } })

/** Every row of a workspace in every table of the catalogue, sign-ins included, as texts; and every job that names it. */
async function rowsOf(workspaceId: string): Promise<Record<string, string[]>> {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', workspaceId])
  const found: Record<string, string[]> = {}
  for (const table of [...(await tablesOfWorkspaces(owner)), 'session']) {
    const { rows } = await owner.query<{ row: string }>(
      `select r::text as row from ${table} r where workspace_id = $1 order by 1`,
      [workspaceId],
    )
    if (rows.length > 0) found[table] = rows.map(({ row }) => row)
  }
  const jobs = await jobsOf(workspaceId)
  return jobs.length > 0 ? { ...found, jobs } : found
}

/** How many rows a table has of a workspace. */
async function countOf(table: string, workspaceId: string): Promise<number> {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', workspaceId])
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::int as count from ${table} where workspace_id = $1`,
    [workspaceId],
  )
  return rows[0]?.count ?? 0
}

/** The names of the jobs in which a workspace is named anywhere, with their states, in the order of time. */
async function jobsOf(workspaceId: string): Promise<string[]> {
  const { rows } = await owner.query<{ job: string }>(
    `select name || ' ' || state as job from queue.job j where j::text like '%' || $1 || '%' order by created_on`,
    [workspaceId],
  )
  return rows.map(({ job }) => job)
}

/** What erases and ends sign-ins. Sweeps would change the other workspace. */
const ERASING = new Set(['erase-workspace', 'revoke-sign-in', 'remove-subscription'])

/** Starts a worker of these. */
async function work(): Promise<void> {
  worker = await createQueue({ db: test.services.db, log: test.services.log })
  for (const one of [...authJobs(test.services), ...connectionJobs(test.services)]) {
    if (ERASING.has(one.name)) await worker.work(one)
  }
}

/** Waits until the jobs are done, without their pauses between attempts, and says what is then left of the workspace. */
async function leftOf(workspaceId: string): Promise<Record<string, string[]>> {
  await expect
    .poll(async () => {
      await owner.query(
        `update queue.job set start_after = now() where state in ('created', 'retry') and data ->> 'workspaceId' = $1`,
        [workspaceId],
      )
      return jobsOf(workspaceId)
    })
    .toEqual(ONLY_THE_JOB.jobs)
  return rowsOf(workspaceId)
}

const ONLY_THE_JOB = { jobs: ['erase-workspace completed'] }

/** Gives a workspace more than one call deletes. */
async function enlarge({ workspaceId }: TestPerson): Promise<void> {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', workspaceId])
  await owner.query(
    `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at)
     select workspace_id, id, 'x' || n, 'said ' || n, now() from connection, generate_series(1, 6500) n where workspace_id = $1`,
    [workspaceId],
  )
  await owner.query('analyze feedback_item')
  await owner.query('discard plans')
  await owner.query(
    `insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
     select workspace_id, id, 0, 0, 4, 'joined', 1, 1, 'test', now() from feedback_item
     where workspace_id = $1 and external_id <> 'a'`,
    [workspaceId],
  )
}

async function signIn(as: TestPerson): Promise<void> {
  const { url } = (await test.call('POST', '/api/slack/authorize', { as })).json()
  const payload = Object.fromEntries((await decide(url)).back.searchParams)
  expect((await test.call('POST', '/api/slack/oauth', { as, payload })).statusCode).toBe(200)
}

describe('a workspace whose only owner deletes their account', () => {
  it('is gone from every table with the call; another workspace is as it was', async () => {
    const before = await rowsOf(bo.workspaceId)
    expect(Object.keys(before)).toEqual([...(await tablesOfWorkspaces(owner)), 'session'])
    expect((await leave(ann)).json()).toEqual({ ok: true })
    expect(await rowsOf(ann.workspaceId)).toEqual({ jobs: ['erase-workspace created'] })
    expect(await rowsOf(bo.workspaceId)).toEqual(before)
  })

  it('leaves no file: what was uploaded is in the database', async () => {
    const payload = JSON.stringify({ id: '1', text: 'said in a file' })
    const started = await test.call('POST', '/api/imports?name=tickets.jsonl', {
      as: ann,
      payload,
      headers: { 'content-type': 'application/octet-stream' },
    })
    expect(started.statusCode).toBe(200)
    expect((await rowsOf(ann.workspaceId)).import_chunk).toHaveLength(2)
    const folder = test.services.config.dataDir
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      expect(await readFile(path.join(entry.parentPath, entry.name), 'utf8')).not.toMatch(
        new RegExp(`said in a file|${ann.workspaceId}`),
      )
    }
    await leave(ann)
    await work()
    expect(await leftOf(ann.workspaceId)).toEqual(ONLY_THE_JOB)
  })

  it('is gone from the queue: waiting, finished and failed jobs', async () => {
    const { queue } = test.services
    for (const { workspaceId } of [ann, bo]) for (let n = 0; n < 3; n += 1) await queue.send(anyJob, { workspaceId })
    await owner.query(`
      update queue.job j set state = 'completed' from (select min(id::text) as id from queue.job
        where name = 'test.any' group by data ->> 'workspaceId') one where j.id::text = one.id`)
    await owner.query(`
      update queue.job j set name = 'dead' from (select max(id::text) as id from queue.job
        where name = 'test.any' group by data ->> 'workspaceId') one where j.id::text = one.id`)
    const before = await rowsOf(bo.workspaceId)
    expect(before.jobs?.toSorted()).toEqual(['dead created', 'test.any completed', 'test.any created'])
    await leave(ann)
    await work()
    expect(await leftOf(ann.workspaceId)).toEqual(ONLY_THE_JOB)
    expect(await rowsOf(bo.workspaceId)).toEqual(before)
  })

  it('with more than one call can delete is out of reach at once, and gone once the job has run', async () => {
    await enlarge(ann)
    const before = await rowsOf(bo.workspaceId)
    await leave(ann)
    const see = async () => (await test.call('GET', '/api/user/user-data', { as: ann })).statusCode
    await expect.poll(see).toBe(401)
    const left = await rowsOf(ann.workspaceId)
    expect(left.feedback_item?.length).toBeGreaterThan(1_000)
    expect([left.member, left.session]).toEqual([undefined, undefined])
    await work()
    expect(await leftOf(ann.workspaceId)).toEqual(ONLY_THE_JOB)
    expect(await rowsOf(bo.workspaceId)).toEqual(before)
  })

  it('has its sign-ins ended at their providers, also where a provider is down at first', async () => {
    await signIn(ann)
    const revoked = () => slack.requests()['auth.revoke'] ?? 0
    const before = revoked()
    slack.fault('500', 2, 'auth.revoke')
    await leave(ann)
    const left = await rowsOf(ann.workspaceId)
    // The job needs what the connections say; of the rest nothing is left.
    expect(Object.keys(left)).toEqual(['audit_event', 'connection', 'provider_app', 'workspace', 'jobs'])
    expect(JSON.stringify(left)).not.toContain('xoxb')
    await work()
    expect(await leftOf(ann.workspaceId)).toEqual(ONLY_THE_JOB)
    expect(revoked()).toBe(before + 3)
  })

  it('is not erased while it has a member', async () => {
    const before = await rowsOf(bo.workspaceId)
    const { queue } = test.services
    const data = { workspaceId: bo.workspaceId, begunAt: new Date().toISOString() }
    const forged = defineJob({ name: 'erase-workspace', schema: z.object({}).loose(), tries: 30 })
    await queue.send(forged, data, { key: bo.workspaceId })
    await work()
    await expect.poll(async () => (await queue.dead.list({ job: 'erase-workspace' })).length).toBe(1)
    const { jobs: _jobs, ...rows } = await rowsOf(bo.workspaceId)
    expect(rows).toEqual(before)
  })
})

describe('a workspace that its owner deletes, who stays', () => {
  it('is gone from every table with the call; another one that they own is as it was', async () => {
    await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', bo.workspaceId])
    await owner.query(`insert into member (workspace_id, account_id, role) values ($1, $2, 'owner')`, [
      bo.workspaceId,
      ann.accountId,
    ])
    const { session: _before, ...before } = await rowsOf(bo.workspaceId)
    expect((await remove(ann)).json()).toEqual({ afterwards: 'another' })
    expect(await rowsOf(ann.workspaceId)).toEqual({ jobs: ['erase-workspace created'] })
    const { session, ...rows } = await rowsOf(bo.workspaceId)
    expect(rows).toEqual(before)
    expect(session?.filter((row) => row.includes(ann.accountId))).toHaveLength(1)
  })

  it('lets nobody in by a link or single sign-on while a large one is being deleted', async () => {
    await enlarge(ann)
    const before = await rowsOf(ann.workspaceId)
    expect([before.shared_link?.length, before.sso_provider?.length]).toEqual([1, 1])
    await remove(ann)
    const left = await rowsOf(ann.workspaceId)
    expect(left.feedback_item?.length).toBeGreaterThan(1_000)
    expect([left.member, left.invitation, left.api_key, left.shared_link, left.sso_provider]).toEqual(
      Array.from({ length: 5 }, () => undefined),
    )
  })

  it('is erased by another worker if the first is killed', async () => {
    await enlarge(ann)
    await remove(ann)
    const called = await rowsOf(ann.workspaceId)
    const blocker = await openConnection(test.database.ownerUrl)
    await blocker.query('begin')
    await blocker.query('select set_config($1, $2, true)', ['groundswell.workspace', ann.workspaceId])
    await blocker.query(`select from feedback_item where workspace_id = $1 and external_id = 'a' for update`, [
      ann.workspaceId,
    ])
    const script = fileURLToPath(new URL('./test-worker.ts', import.meta.url))
    const { appUrl, authUrl } = test.database
    const child = spawn(process.execPath, [script, appUrl, authUrl], { stdio: ['ignore', 'inherit', 'inherit'] })
    try {
      await expect.poll(() => countOf('statement', ann.workspaceId)).toBeLessThan(called.statement?.length ?? 0)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
      await blocker.query('commit')
      await blocker.end()
    }
    expect((await rowsOf(ann.workspaceId)).workspace).toHaveLength(1)
    await work()
    expect(await leftOf(ann.workspaceId)).toEqual(ONLY_THE_JOB)
  })
})
