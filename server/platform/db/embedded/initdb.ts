import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { putInPlace } from '../../files/replace-file.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedError, explain, explainSpawn } from './failure.ts'
import { ownFolder, type Places, pathFromWithin } from './folder.ts'
import { alive } from './process.ts'
import type { RunAs } from './run-as.ts'

/** The superuser of the private server. */
export const OWNER = 'groundswell_owner'

const MAJOR_VERSION = '18'
const OPTIONS = [
  `--username=${OWNER}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth-local=trust',
  '--auth-host=reject',
  '--no-instructions',
]
const SIDE_FOLDER = /^initdb-(\d+)-/

/** Tells this process from an earlier one with the same process id, which is usual in a container. */
const THIS_PROCESS = `initdb-${process.pid}-${randomUUID()}-`

/**
 * Makes the server's folder unless it exists. It is made in a side folder, synced, and renamed into place, so a
 * process killed on the way leaves a side folder for the next start to remove and never half a database; of two
 * concurrent processes, one wins and the other discards its own.
 */
export async function ensureCluster(places: Places, binaries: Binaries, runAs: RunAs): Promise<void> {
  await removeLeftovers(places)
  const version = await readFile(join(places.pgData, 'PG_VERSION'), 'utf8').catch(() => null)
  if (version !== null) {
    if (version.trim() === MAJOR_VERSION) return
    throw new EmbeddedError(
      `${places.pgData} was written by PostgreSQL ${version.trim()}, and this is ${MAJOR_VERSION}. ` +
        'Make a backup with the program that wrote it and restore it into a new folder.',
    )
  }
  const side = join(places.root, `${THIS_PROCESS}${randomUUID()}`)
  try {
    await ownFolder(side, runAs)
    await runInitdb(side, binaries, runAs)
    await putInPlace(side, places.pgData)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOTEMPTY' || code === 'EEXIST') {
      if (await readFile(join(places.pgData, 'PG_VERSION'), 'utf8').catch(() => null)) return
      throw new EmbeddedError(`${places.pgData} holds something that is not a database. Move it away.`)
    }
    if (error instanceof EmbeddedError) throw error
    throw new EmbeddedError(explain(`${code ?? ''} ${(error as Error).message}`), { cause: error })
  } finally {
    await rm(side, { recursive: true, force: true })
  }
}

/** Removes side folders of processes that have ended. A killed one's initdb may still write for a moment: then the next start removes it. */
async function removeLeftovers(places: Places): Promise<void> {
  for (const name of await readdir(places.root)) {
    const pid = Number(SIDE_FOLDER.exec(name)?.[1] ?? 0)
    if (pid === 0 || name.startsWith(THIS_PROCESS) || (pid !== process.pid && alive(pid))) continue
    await rm(join(places.root, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

/**
 * Sorting is by code point whatever the machine's locale, so that the same data has the same order everywhere and
 * an update of the system's locales cannot break an index. TCP is refused in pg_hba as well as not listened on.
 */
async function runInitdb(folder: string, binaries: Binaries, runAs: RunAs): Promise<void> {
  const child = spawn(binaries.initdb, [`--pgdata=${pathFromWithin(folder, runAs)}`, ...OPTIONS], {
    cwd: folder,
    env: { PATH: process.env.PATH, TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    ...(runAs.dropped ? { uid: runAs.uid, gid: runAs.gid } : {}),
  })
  let stderrText = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderrText = (stderrText + text).slice(-4000)
  })
  const code = await new Promise<number | string>((done, fail) => {
    child.on('error', (error) => fail(new EmbeddedError(explainSpawn(error, runAs), { cause: error })))
    child.on('close', (status, signal) => done(status ?? signal ?? 'unknown'))
  })
  if (code !== 0) throw new EmbeddedError(explain(stderrText || `initdb ended with ${code}`))
}
