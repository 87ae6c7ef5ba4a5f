import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Answered } from '../../platform/http/create.ts'
import type { Services } from '../../platform/services.ts'
import { version } from '../../platform/version.ts'
import { deliveryOutcomes } from '../deliveries/index.ts'
import { stateLoads } from '../insights/index.ts'
import type { CollectedFigures, Figures } from './figures.ts'

/** What a process does: answers calls, runs jobs, or both. */
export type Role = 'serve' | 'worker' | 'all'

/** The metrics of a process. No label or value may hold a text that a customer or a user wrote. */
export type Metrics = {
  onAnswered: (call: Answered) => void
  /** All of them in the text format of Prometheus. */
  text: () => Promise<string>
}

/** The states that `monitoring_figures` knows (`server/migrations/functions/monitoring/figures.sql`): each has a value even while no source is in it. */
const SYNC_STATES = ['syncing', 'waiting', 'idle', 'failing', 'signed out', 'stopped']

/** In seconds: a poll takes a few milliseconds, an upload minutes. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Creates the metrics of this process. docs/operations.md lists them. */
export function createMetrics(services: Services, figures: CollectedFigures, role: Role): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const gauge = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: `groundswell_${name}`, help, labelNames, registers: [registry] })
  gauge('info', 'What this process runs.', ['version', 'role']).set({ version, role }, 1)
  const calls = new Histogram({
    name: 'groundswell_call_seconds',
    help: 'Answered calls by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const updates = [processGauges(services, gauge), counters(services, registry), figureGauges(gauge)]
  return {
    onAnswered: ({ method, route, status, seconds }) => calls.observe({ method, route, status }, seconds),
    async text() {
      const latest = await figures.get()
      for (const update of updates) update(latest)
      return registry.metrics()
    },
  }
}

type MakeGauge = <L extends string = never>(name: string, help: string, labelNames?: readonly L[]) => Gauge<L>
type Update = (figures: Figures | null) => void

function processGauges({ db }: Services, gauge: MakeGauge): Update {
  const connections = gauge('database_connections', 'Open connections to the database.', ['pool', 'state'])
  const limit = gauge('database_connections_limit', 'The most connections of a pool.', ['pool'])
  const waiters = gauge('database_waiters', 'Calls and jobs that wait for a free connection.', ['pool'])
  const silence = gauge('listener_silent_seconds', 'Time since this process last received its own notification.')
  return () => {
    const { pools, listenerSilentMs } = db.usage()
    for (const { name: pool, size, open, busy, waiting } of pools) {
      connections.set({ pool, state: 'busy' }, busy)
      connections.set({ pool, state: 'idle' }, open - busy)
      limit.set({ pool }, size)
      waiters.set({ pool }, waiting)
    }
    if (listenerSilentMs !== null) silence.set(listenerSilentMs / 1000)
  }
}

/** Counts that features keep; here they are only read. */
function counters({ caches }: Services, registry: Registry): Update {
  const counter = <L extends string>(name: string, help: string, label: L) => {
    const made = new Counter({ name: `groundswell_${name}`, help, labelNames: [label], registers: [registry] })
    return (counts: Record<string, number>) => {
      made.reset()
      for (const [value, count] of Object.entries(counts)) made.inc({ [label]: value } as Record<L, string>, count)
    }
  }
  const loads = counter('state_loads_total', 'Grouping runs by where they found the state of the workspace.', 'from')
  const deliveries = counter('deliveries_total', 'Attempts at deliveries by outcome.', 'outcome')
  return () => {
    loads(caches.of(stateLoads))
    deliveries(caches.of(deliveryOutcomes))
  }
}

function figureGauges(gauge: MakeGauge): Update {
  const age = gauge('figures_age_seconds', 'Age of the figures of the whole installation.')
  const ungrouped = gauge('ungrouped_oldest_seconds', 'Age of the oldest message waiting to be grouped; 0: none.')
  const worker = gauge(
    'worker_missing_seconds',
    'How long the jobs sent each minute have been waiting for a worker; +Inf: none ever ran.',
  )
  const jobs = gauge('jobs', 'Jobs by kind and state.', ['kind', 'state'])
  const syncs = gauge('syncs', 'Sources that are read, by state.', ['state'])
  const free = gauge('disk_free_bytes', 'Free space of the disk of the data folder.')
  const size = gauge('disk_size_bytes', 'Size of the disk of the data folder.')
  const backup = gauge('backup_age_seconds', 'Age of the newest scheduled backup.')
  return (figures) => {
    for (const one of [ungrouped, worker, age, free, size, backup]) one.remove()
    for (const one of [jobs, syncs]) one.reset()
    if (!figures) return
    for (const state of SYNC_STATES) syncs.set({ state }, 0)
    age.set((performance.now() - figures.readAt) / 1000)
    for (const { figure, kind, state, value } of figures.rows) {
      if (figure === 'ungrouped') ungrouped.set(value ?? 0)
      else if (figure === 'worker') worker.set(value ?? Number.POSITIVE_INFINITY)
      else if (figure === 'jobs') jobs.inc({ kind, state }, value ?? 0)
      else syncs.set({ state }, value ?? 0)
    }
    if (figures.disk) {
      free.set(figures.disk.free)
      size.set(figures.disk.size)
    }
    if (figures.backupAge !== null) backup.set(figures.backupAge)
  }
}
