import { AsyncLocalStorage } from 'node:async_hooks'
import { type Kysely, sql, type Transaction } from 'kysely'
import { retryable } from './retry.ts'
import type { DB } from './schema.ts'

/** A transaction in which statements are made; handed to stores. */
export type Tx = Transaction<DB>

/** Anything that holds the app's query builder: a Database, or a part of one in a test. */
export interface HasKysely {
  kysely: Kysely<DB>
}

/**
 * Runs `work` in one transaction that sees and writes the rows of one workspace only (row-level security reads
 * the setting). The setting ends with the transaction, so a pooled connection carries nothing to its next user.
 * Tried again on conflicts, so `work` must have no effect outside of the transaction.
 */
export function inWorkspace<T>(db: HasKysely, workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withSettings(db, { 'groundswell.workspace': workspaceId }, work)
}

/** The same for one account: the rows that belong to a person across workspaces. */
export function inAccount<T>(db: HasKysely, accountId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withSettings(db, { 'groundswell.account': accountId }, work)
}

/** A transaction with no workspace: for tables without a tenant. Rows of tenants are neither seen nor writable. */
export function withoutWorkspace<T>(db: HasKysely, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withSettings(db, {}, work)
}

/** The transaction that the code running now is part of, if any. */
const enclosing = new AsyncLocalStorage<{ isOpen: boolean }>()

/**
 * A transaction under settings that policies read. Their names have a dot: `groundswell.<name>`. Throws inside another
 * transaction: it would hold one connection while it waits for a second, and a pool whose connections are all held that way
 * never frees one.
 */
async function withSettings<T>(
  db: HasKysely,
  settings: Record<string, string>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (enclosing.getStore()?.isOpen)
    throw new Error('a transaction was started inside another one: pass the outer `tx` on')
  const calls = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`)
  return retryable(() => {
    const current = { isOpen: true }
    return enclosing
      .run(current, () =>
        db.kysely.transaction().execute(async (tx) => {
          if (calls.length > 0) await sql`select ${sql.join(calls)}`.execute(tx)
          return work(tx)
        }),
      )
      .finally(() => {
        current.isOpen = false
      })
  })
}
