import { isMainThread } from 'node:worker_threads'

// Loaded by a server process of a check before anything else: reports, over its channel, how long its event loop was kept busy at most since it was
// last asked, in milliseconds: of time, and of processor time of this thread, which others on the machine hardly change.

/** The longest turn of the event loop, in milliseconds, of time and of processor time. */
export type LoopDelay = { ms: number; cpuMs: number }

const EVERY_MS = 1

if (isMainThread) {
  let longest: LoopDelay = { ms: 0, cpuMs: 0 }
  let at = performance.now()
  let spent = process.threadCpuUsage()
  setInterval(() => {
    const [now, used] = [performance.now(), process.threadCpuUsage()]
    const cpuMs = (used.user + used.system - spent.user - spent.system) / 1_000
    longest = { ms: Math.max(longest.ms, now - at - EVERY_MS), cpuMs: Math.max(longest.cpuMs, cpuMs) }
    ;[at, spent] = [now, used]
  }, EVERY_MS).unref()
  process.on('message', (asked) => {
    if (asked !== 'longest delay') return
    process.send?.(longest)
    longest = { ms: 0, cpuMs: 0 }
  })
}
