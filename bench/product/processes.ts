import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

type Stat = { pid: number; parent: number; ownTicks: number; reapedTicks: number }

function statOf(pid: number): Stat | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    const [user = 0, system = 0, reapedUser = 0, reapedSystem = 0] = fields.slice(11, 15)
    return { pid, parent, ownTicks: user + system, reapedTicks: reapedUser + reapedSystem }
  } catch {
    return null
  }
}

/** A process and all its current descendants, according to Linux's /proc. */
function family(root: number): Stat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat !== null)
  const found = all.filter((stat) => stat.pid === root)
  for (const stat of found) found.push(...all.filter((other) => other.parent === stat.pid))
  return found
}

/** Seconds of CPU that a process and all its descendants have used so far, ended ones included. */
export function cpuSeconds(root: number): number {
  const ticks = family(root).reduce((sum, stat) => sum + stat.ownTicks + stat.reapedTicks, 0)
  return ticks / ticksPerSecond
}

/** Memory of a process and its descendants in bytes: proportional set size, so shared memory counts once. */
function memoryBytes(root: number): number {
  return family(root).reduce((sum, { pid }) => sum + proportionalSize(pid), 0)
}

function proportionalSize(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Samples the memory of a process and its descendants until the returned function is called, which returns the peak. */
export function watchMemory(root: number, everyMs = 250): () => number {
  let most = memoryBytes(root)
  const timer = setInterval(() => {
    most = Math.max(most, memoryBytes(root))
  }, everyMs)
  return () => {
    clearInterval(timer)
    return Math.max(most, memoryBytes(root))
  }
}

/** What this process and the PostgreSQL in a folder have used, in milliseconds: it says more than the time taken on a busy machine. */
export async function cpuMs(folder: string): Promise<number> {
  const { user, system } = process.cpuUsage()
  let ticks = 0
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    if (!place.startsWith(folder)) continue
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  }
  return (user + system) / 1_000 + ticks * 10
}
