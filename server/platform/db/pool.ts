import pg from 'pg'
import type { Log } from '../log/log.ts'
import { valueTypes } from './connection.ts'

const END_MS = 5_000

/** Closes a pool. A connection that is still in use after 5 s is left to end with its server or its process. */
export async function endPool(pool: pg.Pool): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, END_MS)
  })
  await Promise.race([pool.end(), late])
  clearTimeout(timer)
}

/**
 * Makes a pool that outlives its server: when a connection is lost, idle or in the middle of a transaction, only the
 * statement that was waiting for it fails (without a listener of its own, the driver's error event on a
 * connection in use ends the process).
 */
export function createPool(url: string, options: { size: number; name: string; log: Log }): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.size,
    types: valueTypes,
    application_name: options.name,
    keepAlive: true,
    connectionTimeoutMillis: 15_000,
  })
  pool.on('error', (error) => options.log.debug({ err: error.message }, 'an idle database connection was lost'))
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      // A server that stops right after its pool was closed still reports it, on a connection that nothing uses.
      const level = pool.ending ? 'debug' : 'warn'
      options.log[level]({ err: error.message }, 'a database connection was lost')
    })
  })
  return pool
}
