import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startApi } from '../api.ts'
import { boot } from '../boot.ts'
import { readConfig } from '../platform/config/config.ts'
import { startWorker } from '../worker.ts'
import type { Measures } from './measure.ts'

// The product in one process, as `npm start` runs it, which reports its resource use over its channel. Started by `stack.ts`.

const RESOLUTION_MS = 5
const RSS_EVERY_MS = 25

const booted = await boot(readConfig())
const { services } = booted
let queries = 0
services.db.pool.on('acquire', () => {
  queries += 1
})
const api = await startApi(services)
await startWorker(services)

const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
loop.enable()
let rss = 0
let burst = 0
let spent = process.threadCpuUsage()
setInterval(() => {
  const now = process.threadCpuUsage()
  burst = Math.max(burst, now.user + now.system - spent.user - spent.system)
  spent = now
}, RESOLUTION_MS).unref()
const look = () => {
  rss = Math.max(rss, process.memoryUsage.rss())
}
setInterval(look, RSS_EVERY_MS).unref()

process.on('message', (asked) => {
  if (asked !== 'measure') return
  look()
  const { user, system } = process.cpuUsage()
  const measures: Measures = {
    stallMs: loop.max / 1e6 - RESOLUTION_MS,
    burstMs: burst / 1_000,
    rss,
    cpuMs: (user + system) / 1_000,
    queries,
  }
  loop.reset()
  rss = 0
  burst = 0
  process.send?.(measures)
})

const end = async () => {
  await api.close()
  await booted.stop()
  process.exit(0)
}
process.once('SIGTERM', () => void end())
process.once('disconnect', () => void end())
process.stdout.write(`Groundswell is at ${api.url} Ctrl-C\n`)
