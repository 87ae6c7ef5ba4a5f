import { once } from 'node:events'
import type { Child } from './child.ts'

/**
 * What a measured process uses. Since the last request: `stallMs`, the longest stall of its event loop, `burstMs`, the
 * most CPU that the loop's thread used between two ticks (a stall without the time when other processes had the
 * processor), and `rss`, the most memory it was seen to use, in bytes. Since its start: `cpuMs` of all its threads, and `queries`, how
 * often the features took a database connection.
 */
export type Measures = { stallMs: number; burstMs: number; rss: number; cpuMs: number; queries: number }

/** Requests the measures of a process that was started as `measured`. */
export async function measure(child: Child): Promise<Measures> {
  const answered = once(child.process, 'message')
  child.process.send('measure')
  const [measures] = (await answered) as [Measures]
  return measures
}
