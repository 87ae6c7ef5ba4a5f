import { readFile, stat } from 'node:fs/promises'
import { EmbeddedError } from './failure.ts'

/** The user under which PostgreSQL runs: this process's own, or an unprivileged one when this process is root. */
export interface RunAs {
  name: string
  uid: number
  gid: number
  /** True: root gave up its rights for this user. */
  dropped: boolean
}

/** PostgreSQL refuses to run as root. In order of preference; `nobody` exists on every system. */
const CANDIDATES = ['groundswell', 'postgres', 'nobody']

/**
 * Decides which user runs PostgreSQL on a data folder. An existing one is run by its owner, so that a user added to the
 * system later does not lock us out.
 */
export async function chooseRunAs(pgData: string): Promise<RunAs> {
  const uid = process.getuid?.() ?? -1
  const gid = process.getgid?.() ?? -1
  const owner = await ownerOf(pgData)
  if (uid !== 0) {
    if (owner && owner.uid !== uid) {
      throw new EmbeddedError(
        `${pgData} belongs to ${(await nameOf(owner.uid)) ?? `user ${owner.uid}`}, but this process runs as ` +
          `${(await nameOf(uid)) ?? `user ${uid}`}. Run it as the owner or as root.`,
      )
    }
    return { name: (await nameOf(uid)) ?? String(uid), uid, gid, dropped: false }
  }
  if (owner && owner.uid !== 0) {
    return { name: (await nameOf(owner.uid)) ?? String(owner.uid), ...owner, dropped: true }
  }
  const users = await readUsers()
  for (const name of CANDIDATES) {
    const user = users.find((entry) => entry.name === name)
    if (user && user.uid !== 0) return { ...user, dropped: true }
  }
  throw new EmbeddedError(
    'this process is root, PostgreSQL refuses to run as root, and this system has none of the users ' +
      `${CANDIDATES.join(', ')}. Run as an ordinary user, or add one of them.`,
  )
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const { uid, gid } = await stat(path)
    return { uid, gid }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new EmbeddedError(`${path} cannot be inspected: ${(error as Error).message}`, { cause: error })
  }
}

async function nameOf(uid: number): Promise<string | null> {
  return (await readUsers()).find((user) => user.uid === uid)?.name ?? null
}

async function readUsers(): Promise<{ name: string; uid: number; gid: number }[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    if (!name || uid === undefined || gid === undefined) return []
    return [{ name, uid: Number(uid), gid: Number(gid) }]
  })
}
