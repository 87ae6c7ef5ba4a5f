import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg, setPriority } from 'node:os'

/** Work that keeps CPUs busy. It ends by `end`, when its time is up, or with the process that started it. */
export type CpuLoad = {
  /** The ids of the processes that still work. */
  pids(): number[]
  end(): Promise<void>
}

/** How long a busy process computes between two checks that its parent is alive. */
const SLICE_MS = 50

/**
 * Starts `count` processes, each of which keeps a CPU busy for at most `seconds`. `nice` is their niceness: 0, as
 * for the tests, to 19, the lowest priority.
 */
export function startCpuLoad(count: number, seconds: number, nice = 0): CpuLoad {
  const children = Array.from({ length: count }, () => fork(import.meta.filename, [String(seconds)], { execArgv: [] }))
  for (const { pid } of children) if (pid !== undefined) setPriority(pid, nice)
  const works = (child: ChildProcess) => child.exitCode === null && child.signalCode === null
  return {
    pids: () => children.filter(works).flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    end: async () => {
      await Promise.all(
        children.filter(works).map(async (child) => {
          const ended = once(child, 'exit')
          child.kill('SIGKILL')
          await ended
        }),
      )
    },
  }
}

/** Measures the load of the machine every ten seconds until it is asked for the mean. */
export function measureLoad(): () => number {
  const seen: number[] = []
  const timer = setInterval(() => seen.push(loadavg()[0] ?? 0), 10_000)
  return () => {
    clearInterval(timer)
    const all = seen.length > 0 ? seen : [loadavg()[0] ?? 0]
    return all.reduce((sum, one) => sum + one, 0) / all.length
  }
}

/** The work of one process: arithmetic in slices, between which it notices that its parent has gone. */
function keepBusy(until: number): void {
  const slice = Date.now() + SLICE_MS
  let sum = 0
  while (Date.now() < slice) sum = Math.sqrt(sum + 1)
  if (Date.now() < until) setImmediate(keepBusy, until)
  else process.disconnect()
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit(0))
  keepBusy(Date.now() + Number(process.argv[2]) * 1000)
}
