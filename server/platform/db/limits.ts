/** How long the database may take before a connection or a statement is given up. Milliseconds; 0: no limit. */
export type Limits = {
  /** One statement, as the server measures it. */
  statement: number
  /** Waiting for a lock. */
  lock: number
  /** Between two statements of a transaction: a frozen process must not keep its locks. */
  idle: number
  /** Nothing is received, as this process measures it: longer than a statement, so that the server's own error arrives if it can. */
  silence: number
}

/** For calls and jobs. A statement that may wait for a lock outlasts a frozen process that holds it. */
export const ORDINARY: Limits = { statement: 30_000, lock: 15_000, idle: 10_000, silence: 40_000 }

const HOUR = 3_600_000

/**
 * For migrations, backups and restores, whose statements may take long and which wait for each other. A change of a table that cannot lock it gives
 * up after a minute, since everything else waits behind it.
 */
export const LONG: Limits = { statement: 12 * HOUR, lock: 60_000, idle: HOUR, silence: 12 * HOUR }

/** The server notices that a client's machine has vanished, and closes its connection, within 25 s. */
const KEEPALIVE = [
  'set tcp_keepalives_idle = 10',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
  'set tcp_user_timeout = 25000',
]

/** Settings for a whole connection that leads to the server itself. */
export function sessionSettings(limits: Limits): string {
  return [...KEEPALIVE, ...timeouts(limits).map((setting) => `set ${setting}`)].join('; ')
}

/** Begins a transaction as a role. One message to the server, and nothing that outlives the transaction: a pooler may stand in between. */
export function beginAs(role: string, limits: Limits): string {
  return ['begin', ...[`role = ${role}`, ...timeouts(limits)].map((setting) => `set local ${setting}`)].join('; ')
}

/** Settings for a connection that may lead through a pooler: whoever gets the server's connection next wants the same. */
export const pooledSettings: string = KEEPALIVE.join('; ')

function timeouts({ statement, lock, idle }: Limits): string[] {
  return [`statement_timeout = ${statement}`, `lock_timeout = ${lock}`, `idle_in_transaction_session_timeout = ${idle}`]
}
