import { createHash } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { silentLog } from '../log/log.ts'
import { alive } from './embedded/process.ts'
import { startEmbedded } from './embedded/server.ts'

/** The addresses of the server on which tests create their databases. `authUrl`: undefined where the owner's address is the only one. */
export interface TestServer {
  ownerUrl: string
  appUrl: string
  authUrl?: string
}

/** Passes the server's addresses from the test run to its workers. */
export const TEST_SERVER_VARIABLE = 'GROUNDSWELL_TEST_SERVER'

/** Names of test databases: the number is the id of the process that created it. */
const TEST_DATABASE = /^groundswell_test_(\d+)_/

const CHECKOUT = join(import.meta.dirname, '..', '..', '..')

/** Linux keeps the files of this folder in memory. */
const MEMORY_FOLDER = '/dev/shm'
/** The databases of a run and their log; a container often has a thirtieth of it there. */
const ENOUGH_BYTES = 2 * 1024 ** 3

/**
 * Starts, or adopts, the one private server that all test runs of this checkout share; its folder is kept until the
 * machine is restarted, so that only the first run ever waits for initdb. The last run to end stops it.
 */
export async function startTestServer(): Promise<TestServer & { stop(): Promise<void> }> {
  const id = createHash('sha256').update(CHECKOUT).digest('hex').slice(0, 12)
  const dataDir = join(await fastFolder(), `groundswell-test-${process.getuid?.() ?? 0}-${id}`)
  const server = await startEmbedded({ dataDir, log: silentLog(), mayLoseData: true })
  await dropLeftovers(server.ownerUrl)
  return server
}

/** In memory where that is large enough: a new database for each test file costs a third less CPU there than on a disk. */
async function fastFolder(): Promise<string> {
  const found = await statfs(MEMORY_FOLDER).catch(() => null)
  return found !== null && found.bavail * found.bsize >= ENOUGH_BYTES ? MEMORY_FOLDER : tmpdir()
}

/** Databases of runs that were killed, and templates of earlier states of the migrations. */
async function dropLeftovers(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ datname: string; old: boolean | null }>(
      // Another run may be dropping one of its own meanwhile: its file may be missing.
      `select datname, (pg_stat_file('base/' || oid || '/PG_VERSION', true)).modification < now() - interval '1 day' as old
       from pg_database where datname like 'groundswell\\_%'`,
    )
    for (const { datname, old } of rows) {
      const pid = Number(TEST_DATABASE.exec(datname)?.[1] ?? 0)
      const forgotten = pid === 0 ? old : !alive(pid)
      if (forgotten) await client.query(`drop database if exists ${client.escapeIdentifier(datname)} with (force)`)
    }
  } finally {
    await client.end()
  }
}
