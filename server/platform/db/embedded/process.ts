import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether a process exists and is not a zombie (whose pid stays taken until it is reaped). */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  if (process.platform !== 'linux') return true
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(line.slice(line.lastIndexOf(')') + 2))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' && (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/**
 * Whether a living process is the server of this folder. Process ids are reused, in a container after
 * every start, so the pid in a file alone proves nothing. `unknown` where the system does not report it.
 */
export async function servesFolder(pid: number, pgData: string): Promise<'yes' | 'no' | 'unknown'> {
  if (process.platform !== 'linux') return 'unknown'
  try {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8')
    if (name.trim() !== 'postgres') return 'no'
    const [here, there] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(pgData)])
    return here.ino === there.ino && here.dev === there.dev ? 'yes' : 'no'
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return code === 'ENOENT' || code === 'ESRCH' ? 'no' : 'unknown'
  }
}

/** Sends a signal; a process that has already ended is not an error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Waits until a process has ended; false when it still runs after that time. */
export async function waitUntilGone(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds
  while (alive(pid)) {
    if (Date.now() > deadline) return false
    await sleep(10)
  }
  return true
}
