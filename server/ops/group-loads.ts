import type { Child } from '../faults/child.ts'
import type { Product, StartOptions } from './product.ts'

/** How often runs of grouping found the groups of their workspace in memory, or had to load them. */
export type Loads = { memory: number; database: number }

/** A worker, and the address of its metrics. */
export type MeasuredWorker = { child: Child; metrics: string }

/** Starts a worker that counts its loads of groups. */
export async function startMeasuredWorker(product: Product, options: StartOptions = {}): Promise<MeasuredWorker> {
  const child = await product.work({ ...options, env: { METRICS_PORT: '0', ...options.env } })
  const [, metrics = ''] = await child.says(/Metrics are at (http:\S+)/)
  return { child, metrics }
}

/** The loads of all these workers since they started. */
export async function loadsOf(workers: readonly MeasuredWorker[]): Promise<Loads> {
  const sum: Loads = { memory: 0, database: 0 }
  for (const { metrics } of workers) {
    const text = await (await fetch(metrics)).text()
    for (const from of ['memory', 'database'] as const) {
      const [, value] = new RegExp(`^groundswell_state_loads_total\\{from="${from}"\\} (\\d+)`, 'm').exec(text) ?? []
      if (value === undefined) throw new Error(`${metrics} does not count loads of groups`)
      sum[from] += Number(value)
    }
  }
  return sum
}
