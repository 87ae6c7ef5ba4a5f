import { once } from 'node:events'
import type { Child } from './child.ts'

/**
 * What a measured process uses. Since it was last asked: `stallMs`, the longest stall of its event loop, `burstMs`, the
 * most CPU that the loop's thread took between two ticks (a stall without the times when other processes had the
 * processor), and `rss`, the most memory it was seen to hold, in bytes. Since it started: `cpuMs` of all its threads, and `queries`, how often the
 * features took a database connection.
 */
export type Measures = { stallMs: number; burstMs: number; rss: number; cpuMs: number; queries: number }

/** Asks a process that was started as `measured`. */
export async function measure(child: Child): Promise<Measures> {
  const answered = once(child.process, 'message')
  child.process.send('measure')
  const [measures] = (await answered) as [Measures]
  return measures
}
