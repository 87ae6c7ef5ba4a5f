import { execFileSync } from 'node:child_process'

/** Seconds of processor time of these processes and, of a server, of all its children, those that have ended too. */
export function cpuSeconds(pids: readonly number[]): number {
  const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  const rows = execFileSync('bash', ['-c', 'cat /proc/[0-9]*/stat 2>/dev/null || true'], { encoding: 'utf8' }).split(
    '\n',
  )
  let sum = 0
  for (const row of rows) {
    const fields = row.slice(row.lastIndexOf(')') + 2).split(' ')
    const [pid, parent] = [Number.parseInt(row, 10), Number(fields[1])]
    if (!pids.includes(pid) && !pids.includes(parent)) continue
    const own = Number(fields[11]) + Number(fields[12])
    sum += own + (pids.includes(pid) ? Number(fields[13]) + Number(fields[14]) : 0)
  }
  return sum / ticks
}
