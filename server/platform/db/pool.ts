import pg from 'pg'
import type { Log } from '../log/log.ts'
import { valueTypes } from './connection.ts'

/**
 * Makes a pool that outlives its server: a connection that is lost, idle or in the middle of a transaction, fails the
 * statement that was waiting for it and nothing else (without a listener of its own, the driver's error event on a
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
      // A server that stops right after its pool was ended still says goodbye: nobody waits for that connection.
      const level = pool.ending ? 'debug' : 'warn'
      options.log[level]({ err: error.message }, 'a database connection was lost')
    })
  })
  return pool
}
