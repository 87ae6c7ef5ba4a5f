import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openConnection, testWorkspace } from '../../../platform/db/testing.ts'
import { type TestServices, testServices } from '../../../platform/http/testing.ts'
import type { Services } from '../../../platform/services.ts'
import { writeBackupFile } from '../backup-file.ts'
import { drillBackup } from '../drill.ts'
import { BackupError } from '../format.ts'
import { openBackup } from '../read.ts'
import { withBackupLock } from '../store.ts'
import { checkBackups } from './check-backups.ts'
import { backUp } from './jobs.ts'

const migrations = path.join(import.meta.dirname, '../../../migrations')
const HOUR_MS = 3_600_000

let server: TestServices
let parent: string
let folder: string
let services: Services
let time: number

beforeAll(async () => {
  server = await testServices()
  await testWorkspace(server.services.db)
  parent = await mkdtemp(path.join(tmpdir(), 'groundswell-backups-'))
})

afterAll(async () => {
  await server.stop()
  await rm(parent, { recursive: true })
})

beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(parent, 'test-')), 'backups')
  time = Date.UTC(2026, 1, 3, 3)
  const { config, db } = server.services
  services = {
    ...server.services,
    db: { ...db, embedded: true },
    config: { ...config, backups: { folder, hour: 3, keep: 2 } },
    now: () => new Date(time),
  }
})

const signal = new AbortController().signal

async function databases(): Promise<string[]> {
  const client = await openConnection(services.db.ownerUrl)
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database
      where datname like 'groundswell_drill_' || (select oid from pg_database where datname = current_database()) || '%'`,
  )
  await client.end()
  return rows.map(({ name }) => name)
}

test('each backup is complete and private, the oldest and incomplete ones are deleted, other files are not', async () => {
  await backUp(services, signal)
  const other = ['groundswell-by-hand.gz', 'groundswell-by-hand.gz.partial']
  for (const name of other) await writeFile(path.join(folder, name), '')
  await writeFile(path.join(folder, 'groundswell-2026-02-02T03-00-00Z.gz.partial'), 'a killed process left it')
  for (let day = 1; day <= 2; day += 1) {
    time += 24 * HOUR_MS
    await backUp(services, signal)
  }
  const kept = ['groundswell-2026-02-04T03-00-00Z.gz', 'groundswell-2026-02-05T03-00-00Z.gz']
  expect((await readdir(folder)).sort()).toEqual([...kept, ...other].sort())
  const newest = path.join(folder, kept[1] ?? '')
  expect([(await stat(folder)).mode & 0o777, (await stat(newest)).mode & 0o777]).toEqual([0o700, 0o600])

  const drill = await drillBackup(services, await openBackup(createReadStream(newest)), migrations)
  expect(drill).toMatchObject({ rows: 1, tables: 1, secrets: 'restored' })
  const elsewhere = { ...services, key: { id: 'other', bytes: Buffer.alloc(32) } }
  const foreign = await drillBackup(elsewhere, await openBackup(createReadStream(newest)), migrations)
  expect(foreign.secrets).toBe('sealed with another key')
  expect(await databases()).toEqual([])
})

test('a drill of a damaged backup fails, and leaves no database', async () => {
  const attempt = drillBackup(
    services,
    (async function* () {
      yield '{"groundswell_backup":1,"migration":"1","created_at":"","secrets":false,"key":null}'
      yield '{"account":'
    })(),
    migrations,
  )
  await expect(attempt).rejects.toBeInstanceOf(BackupError)
  expect(await databases()).toEqual([])
})

test('two are never written at once', async () => {
  await withBackupLock(services.db.ownerUrl, () => backUp(services, signal))
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
})

test('the reason why one could not be written is reported, and nothing is left', async () => {
  await writeFile(folder, 'a file')
  await expect(backUp(services, signal)).rejects.toThrow(/EEXIST|ENOTDIR/)
})

test('a file that would fill the disk is given up', async () => {
  const lines = () => Readable.from(['{"a":1}\n'])
  const file = path.join(parent, 'full.gz')
  await expect(writeBackupFile(file, lines(), { keepFree: 1e18 })).rejects.toThrow(
    /not enough space for a backup in .*: only \d+ MiB are free/,
  )
  expect((await readdir(parent)).filter((name) => name.startsWith('full'))).toEqual([])
  await writeBackupFile(file, lines(), { keepFree: 1 })
  expect((await readdir(parent)).filter((name) => name.startsWith('full'))).toEqual(['full.gz'])
})

test('one that is interrupted leaves nothing that looks complete', async () => {
  const abort = new AbortController()
  const attempt = backUp(services, abort.signal)
  abort.abort()
  await expect(attempt).rejects.toThrow('the backup was interrupted')
  const left = await readdir(folder).catch(() => [])
  expect(left.filter((name) => name.endsWith('.gz'))).toEqual([])
})

test('doctor reports the age of the newest', async () => {
  const states = async (at: number, changes: Partial<Services['config']['backups']> = {}) => {
    const { config } = services
    const backups = { ...config.backups, ...changes }
    return checkBackups({ ...services, config: { ...config, backups }, now: () => new Date(at) })
  }
  expect(await states(Date.now())).toMatchObject([{ state: 'notice', what: `There is no backup in ${folder} yet.` }])
  expect(await states(Date.now() + 50 * HOUR_MS)).toMatchObject([{ state: 'problem' }])
  await backUp(services, signal)
  expect(await states(time + 25 * HOUR_MS)).toMatchObject([
    { state: 'ok', what: expect.stringContaining('is 25 h old') },
  ])
  expect(await states(time + 50 * HOUR_MS)).toMatchObject([
    { state: 'problem', what: expect.stringContaining('is 2 days old'), advice: expect.any(String) },
  ])
  expect(await states(time, { keep: 0 })).toMatchObject([{ state: 'notice', what: expect.stringContaining('are off') }])
  expect(await checkBackups(server.services)).toMatchObject([
    { state: 'notice', what: expect.stringContaining('your own') },
  ])
})
