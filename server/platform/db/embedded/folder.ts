import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, readdir, readFile, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sync } from '../../files/replace-file.ts'
import { EmbeddedError } from './failure.ts'
import type { RunAs } from './run-as.ts'

/** The folders of one private server, all below `<data folder>/postgres` except possibly its socket. */
export interface Places {
  /** `<data folder>/postgres`, owned by us. */
  root: string
  /** The server's own folder, owned by the user it runs as. */
  pgData: string
  logFile: string
}

/** A running server's postmaster.pid. */
export interface PidFile {
  pid: number
  socketFolder: string
  /** `ready`, `starting`, `stopping`, or empty before the first of them. */
  status: string
}

/** The longest socket path that every system takes, macOS being the strictest, less the file's own name. */
const MAX_SOCKET_FOLDER_LENGTH = 103 - '/.s.PGSQL.5432.lock'.length

/** Makes the folder of the private server, readable only by its user. */
export async function preparePlaces(dataDir: string): Promise<Places> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const root = join(await realpath(dataDir), 'postgres')
    await mkdir(root, { recursive: true, mode: 0o700 })
    return { root, pgData: join(root, 'data'), logFile: join(root, 'server.log') }
  } catch (error) {
    throw new EmbeddedError(`its folder ${dataDir} cannot be made: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * The path by which a program started *in* the folder names it. On Linux that is /proc/self/cwd: root may have given
 * us a folder below others that the unprivileged user cannot walk through (mode 0700), and this path needs no walk.
 */
export function pathFromWithin(folder: string, runAs: RunAs): string {
  return runAs.dropped && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : folder
}

/** The file of a server that runs, or ran until it was killed; null when there is none. */
export async function readPidFile(pgData: string): Promise<PidFile | null> {
  const text = await readFile(join(pgData, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return null
  return { pid, socketFolder: lines[4]?.trim() ?? '', status: lines[7]?.trim() ?? '' }
}

/**
 * A 0700 folder for the socket, with a path that is short enough and that the server's user can reach. Only a user who
 * can enter it can sign in, so a folder that another user made is refused.
 */
export async function makeSocketFolder(places: Places, runAs: RunAs): Promise<string> {
  const inside = join(places.root, 'socket')
  const name = `groundswell-${createHash('sha256').update(places.root).digest('hex').slice(0, 16)}`
  const runtime = process.env.XDG_RUNTIME_DIR
  const candidates = runAs.dropped
    ? [join('/run', name), join('/tmp', name)]
    : [inside, ...(runtime ? [join(runtime, name)] : []), join(tmpdir(), name), join('/tmp', name)]
  let reason = 'no path is short enough.'
  for (const folder of candidates) {
    if (folder.length > MAX_SOCKET_FOLDER_LENGTH) continue
    try {
      await ownFolder(folder, runAs)
      return folder
    } catch (error) {
      reason = `${(error as Error).message}.`
    }
  }
  throw new EmbeddedError(`there is no place for its socket: ${reason}`)
}

/** Makes a folder of mode 0700 for the server's user, or uses an existing one of that mode. */
export async function ownFolder(folder: string, runAs: RunAs): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(folder)
  const ours = found.uid === runAs.uid || found.uid === process.getuid?.()
  if (!found.isDirectory() || !ours) throw new Error(`${folder} belongs to another user`)
  if (found.uid !== runAs.uid || found.gid !== runAs.gid) await chown(folder, runAs.uid, runAs.gid)
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700)
}

/** Syncs a folder with everything below it, deepest first. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  const pending = entries.map((entry) => {
    const path = join(folder, entry.name)
    return () => (entry.isDirectory() ? syncTree(path) : entry.isFile() ? sync(path) : Promise.resolve())
  })
  for (let at = 0; at < pending.length; at += 32) {
    await Promise.all(pending.slice(at, at + 32).map((work) => work()))
  }
  await sync(folder)
}
