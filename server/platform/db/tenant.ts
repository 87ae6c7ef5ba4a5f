import { AsyncLocalStorage } from 'node:async_hooks'
import { type Kysely, sql, type Transaction } from 'kysely'
import { retryable } from './retry.ts'
import type { DB } from './schema.ts'

/** Notifications that a transaction sends when it commits. */
const NOTIFICATIONS = Symbol('notifications')

type Notification = { channel: string; payload: string }

/** A transaction in which statements are run; passed to stores. */
export type Tx = Transaction<DB> & { [NOTIFICATIONS]?: Notification[] }

declare const ACCOUNTS: unique symbol

/**
 * A transaction that may also read and write the tables of accounts: one of `db.accounts`. Stores of those tables require it, so that
 * a statement which the app's role may not run is refused by the compiler first.
 */
export type AccountTx = Tx & { [ACCOUNTS]: true }

declare const GIVES: unique symbol

/** Anything that holds a query builder: a Database, a part of one in a test, or `db.accounts`. `X`: the kind of its transactions. */
export interface HasKysely<X extends Tx = Tx> {
  kysely: Kysely<DB>
  /** Passes a committed notification to this process's own listeners. */
  deliver?: (channel: string, payload: string) => void
  /** Only for the compiler. */
  readonly [GIVES]?: X
}

/** The database as the role of the sign-in code, whose transactions may use the tables of accounts. */
export type AccountsDatabase = HasKysely<AccountTx>

/**
 * Runs `work` in one transaction that sees and writes the rows of one workspace only (row-level security reads
 * the setting). The setting ends with the transaction, so a pooled connection carries nothing to its next user.
 * Retried on conflicts, so `work` must have no effect outside of the transaction.
 */
export function inWorkspace<T, X extends Tx = Tx>(
  db: HasKysely<X>,
  workspaceId: string,
  work: (tx: NoInfer<X>) => Promise<T>,
): Promise<T> {
  return withSettings(db, { 'groundswell.workspace': workspaceId }, work)
}

/** The same for one account: the rows that belong to a person across workspaces. */
export function inAccount<T, X extends Tx = Tx>(
  db: HasKysely<X>,
  accountId: string,
  work: (tx: NoInfer<X>) => Promise<T>,
): Promise<T> {
  return withSettings(db, { 'groundswell.account': accountId }, work)
}

/** Switches a transaction to another workspace: a person may be in several. */
export async function switchWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select set_config('groundswell.workspace', ${workspaceId}, true)`.execute(tx)
}

/** A transaction with no workspace: for tables without a tenant. Rows of tenants are neither seen nor writable. */
export function withoutWorkspace<T, X extends Tx = Tx>(
  db: HasKysely<X>,
  work: (tx: NoInfer<X>) => Promise<T>,
): Promise<T> {
  return withSettings(db, {}, work)
}

/**
 * Sends a notification to every process that listens on the channel when the transaction commits. The listeners of this process
 * receive it before `inWorkspace` returns, and once more from the database: after a change, this process never serves
 * stale data.
 */
export async function notify(tx: Tx, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(tx)
  tx[NOTIFICATIONS]?.push({ channel, payload })
}

/** The transaction that the code running now is part of, if any. */
const enclosing = new AsyncLocalStorage<{ isOpen: boolean }>()

/**
 * A transaction with settings that policies read. Their names have a dot: `groundswell.<name>`. Throws inside another
 * transaction: it would hold one connection while it waits for a second, and a pool whose connections are all held that way
 * never frees one.
 */
async function withSettings<T, X extends Tx = Tx>(
  db: HasKysely<X>,
  settings: Record<string, string>,
  work: (tx: NoInfer<X>) => Promise<T>,
): Promise<T> {
  if (enclosing.getStore()?.isOpen)
    throw new Error('a transaction was started inside another one: pass the outer `tx` on')
  const calls = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`)
  return retryable(async () => {
    const current = { isOpen: true }
    const notifications: Notification[] = []
    const run = () =>
      db.kysely.transaction().execute(async (transaction) => {
        const tx = Object.assign(transaction, { [NOTIFICATIONS]: notifications }) as unknown as X
        if (calls.length > 0) await sql`select ${sql.join(calls)}`.execute(tx)
        return work(tx)
      })
    const result = await enclosing.run(current, run).finally(() => {
      current.isOpen = false
    })
    for (const { channel, payload } of notifications) db.deliver?.(channel, payload)
    return result
  })
}
