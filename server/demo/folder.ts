import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const PREFIX = 'groundswell-demo-'

/** A folder for the data of one demo. Its name contains the process id, so that the leftovers of a killed demo are recognised and removed. */
export async function demoFolder(): Promise<string> {
  await removeLeftovers()
  const folder = await mkdtemp(path.join(tmpdir(), `${PREFIX}${process.pid}-`))
  const data = path.join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  return folder
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) await rm(path.join(tmpdir(), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
