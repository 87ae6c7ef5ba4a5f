import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { EmbeddedError, explain, explainSpawn } from './failure.ts'
import { makeSocketFolder, type Places, pathFromWithin, readPidFile } from './folder.ts'
import { alive, servesFolder, signal, waitUntilGone } from './process.ts'
import type { RunAs } from './run-as.ts'

/** What a server logs when it finds another one starting or running in its folder. */
const ANOTHER_SERVER =
  /lock file "postmaster\.pid" (?:already exists|is empty)|pre-existing shared memory block|could not create lock file/

/** A server writes its pid file within milliseconds of creating it: one that is empty for longer was left by a crash. */
const MAX_EMPTY_MS = 3_000

/**
 * Durable as PostgreSQL is by default; small, since it shares the machine with the product. Its log never holds a
 * statement or a row's values: those are customers' words.
 */
const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  cluster_name: 'groundswell',
  max_connections: '200',
  shared_buffers: '64MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '512MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_worker_processes: '4',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_statement: 'none',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_parameter_max_length_on_error: '0',
  log_lock_waits: 'off',
  log_autovacuum_min_duration: '-1',
}

/** For data that may be lost: writes are not synced, which is several times faster. */
const UNSYNCED: Record<string, string> = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

const MAX_LOG_SIZE = 5 * 1024 * 1024
const START_TIMEOUT_MS = 120_000
const FAST_STOP_MS = 20_000
const HARD_STOP_MS = 5_000

/** Starting failed because another process is starting the server, or the killed server's children have not ended yet. */
export class NotReady extends Error {
  override name = 'NotReady'
}

/**
 * Starts the server and waits until it accepts connections (after a crash it first replays its log, which may take a
 * while). It leads a process group of its own: Ctrl-C in the terminal reaches only us, and we shut it down cleanly.
 */
export async function startPostmaster(
  places: Places,
  binaries: Binaries,
  runAs: RunAs,
  mayLoseData = false,
): Promise<number> {
  const socketFolder = await makeSocketFolder(places, runAs)
  await clearStalePidFile(places)
  const log = await openLog(places.logFile)
  const { size: before } = await log.stat()
  const settings = Object.entries({
    ...SETTINGS,
    ...(mayLoseData ? UNSYNCED : {}),
    unix_socket_directories: socketFolder,
  })
  const child = spawn(
    binaries.postgres,
    ['-D', pathFromWithin(places.pgData, runAs), ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      cwd: places.pgData,
      env: { PATH: process.env.PATH, TZ: 'UTC' },
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
      ...(runAs.dropped ? { uid: runAs.uid, gid: runAs.gid } : {}),
    },
  )
  try {
    const ended = exitOf(child, runAs)
    child.unref()
    const outcome = await Promise.race([ended, untilReady(places, child)])
    if (outcome === 'ready' && child.pid !== undefined) return child.pid
    const logged = (await readFile(places.logFile, 'utf8')).slice(before)
    if (ANOTHER_SERVER.test(logged)) throw new NotReady(logged)
    if (/No such file or directory/.test(logged) && (await stat(places.pgData).catch(() => null)) === null) {
      throw new EmbeddedError(`its folder ${places.pgData} is gone.`)
    }
    throw new EmbeddedError(
      outcome === 'slow' ? `it was not ready after two minutes.\n${explain(logged)}` : explain(logged),
    )
  } finally {
    await log.close()
  }
}

/** Shuts a server down cleanly: connections are ended and everything is written. Killed only if that does not happen. */
export async function stopPostmaster(pid: number): Promise<void> {
  signal(pid, 'SIGINT')
  if (await waitUntilGone(pid, FAST_STOP_MS)) return
  signal(pid, 'SIGQUIT')
  if (await waitUntilGone(pid, HARD_STOP_MS)) return
  signal(pid, 'SIGKILL')
  await waitUntilGone(pid, HARD_STOP_MS)
}

function exitOf(child: ChildProcess, runAs: RunAs): Promise<'ended'> {
  return new Promise((done, fail) => {
    child.on('error', (error) => fail(new EmbeddedError(explainSpawn(error, runAs), { cause: error })))
    child.on('exit', () => done('ended'))
  })
}

async function untilReady(places: Places, child: ChildProcess): Promise<'ready' | 'slow' | 'ended'> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    const file = await readPidFile(places.pgData)
    if (file?.pid === child.pid && file?.status === 'ready') return 'ready'
    if (child.exitCode !== null || child.signalCode !== null) return 'ended'
    await sleep(10)
  }
  return 'slow'
}

/** PostgreSQL trusts a pid file even if another process of the same user has that pid now; this checks more closely. */
async function clearStalePidFile(places: Places): Promise<void> {
  const file = await readPidFile(places.pgData)
  if (!file) {
    const found = await stat(join(places.pgData, 'postmaster.pid')).catch(() => null)
    if (found && Date.now() - found.mtimeMs > MAX_EMPTY_MS)
      await rm(join(places.pgData, 'postmaster.pid'), { force: true })
    return
  }
  if (!alive(file.pid) || (await servesFolder(file.pid, places.pgData)) === 'no') {
    await rm(join(places.pgData, 'postmaster.pid'), { force: true })
  }
}

async function openLog(path: string): Promise<Awaited<ReturnType<typeof open>>> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size > MAX_LOG_SIZE) await truncate(path)
  return open(path, 'a', 0o600)
}
