import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openConnection, type TestDatabase, testDatabase } from '../../platform/db/testing.ts'
import { checkDatabase, checkFolder, checkSettings, type Finding } from './index.ts'

let database: TestDatabase | undefined

afterEach(async () => {
  await database?.cleanup()
  database = undefined
})

const problems = (findings: Finding[]) =>
  findings.filter((finding) => finding.state === 'problem').map(({ what }) => what)

test('a healthy database has no problem', async () => {
  database = await testDatabase()
  const findings = await checkDatabase(database.db)
  expect(problems(findings)).toEqual([])
  expect(findings.map(({ what }) => what).join('\n')).toContain('groundswell_app, which owns nothing')
})

test('isolation that was switched off is reported with its table', async () => {
  database = await testDatabase()
  const owner = await openConnection(database.ownerUrl)
  await owner.query('alter table insight no force row level security')
  await owner.end()
  expect(problems(await checkDatabase(database.db))).toEqual(['Row-level security is off for insight.'])
})

test('an app that works as the owner is a problem', async () => {
  database = await testDatabase()
  const findings = await checkDatabase({ ...database.db, appUrl: database.ownerUrl })
  expect(problems(findings).join()).toContain('can bypass row-level security')
})

test('failed and held deliveries and paused destinations are counted over all workspaces', async () => {
  database = await testDatabase()
  const owner = await openConnection(database.ownerUrl)
  const id = '00000000-0000-4000-8000-00000000000a'
  await owner.query(`insert into workspace (workspace_id, name) values ($1, 'w')`, [id])
  await owner.query(`insert into connection (workspace_id, id, connector, paused) values ($1, $1, 'webhook', true)`, [
    id,
  ])
  await owner.query(`insert into insight (workspace_id, issue_number, name, summary) values ($1, 1, 'n', 's')`, [id])
  await owner.query(
    `insert into delivery (workspace_id, connection_id, issue_number, event, window_hour, state)
     values ($1, $1, 1, 'insight.created', 0, 'failed')`,
    [id],
  )
  await owner.query(
    `insert into delivery (workspace_id, connection_id, issue_number, event, window_hour, state, waits_for)
     values ($1, $1, 1, 'insight.updated', 1, 'waiting', 'held'), ($1, $1, 1, 'insight.updated', 2, 'waiting', null)`,
    [id],
  )
  await owner.end()
  const findings = await checkDatabase(database.db)
  const found = problems(findings)
  const all = findings.map(({ what }) => what)
  expect(all).toContain('1 deliveries are waiting for their next attempt.')
  expect(all).toContain('1 deliveries are held until somebody sends them, under Deliveries in the web app.')
  expect(found).toContain('1 deliveries failed.')
  expect(found).toContain('1 destinations are paused.')
})

test('a key file that others can read, and a folder that is none, are problems', async () => {
  database = await testDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-checkup-'))
  try {
    await writeFile(path.join(folder, 'secret.key'), 'x', { mode: 0o644 })
    expect(problems(await checkFolder({ ...database.config, dataDir: folder }))).toContain(
      'secret.key can be read by other users.',
    )
    const file = path.join(folder, 'secret.key')
    expect(problems(await checkFolder({ ...database.config, dataDir: file }))).toEqual([`${file} is not a folder.`])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('settings that expose people are said, and only then', async () => {
  database = await testDatabase()
  const exposed = {
    ...database.config,
    host: '0.0.0.0',
    publicUrl: 'http://feedback.example.com',
    signup: 'open' as const,
  }
  expect(problems(checkSettings(exposed, { built: true })).join()).toContain('are sent unencrypted')
  const safe = { ...exposed, publicUrl: 'https://feedback.example.com' }
  expect(problems(checkSettings(safe, { built: true }))).toEqual([])
  expect(problems(checkSettings(safe, { built: false }))).toEqual(['The web app is not built.'])
})
