import { CompiledQuery, type Driver, PostgresDialect, PostgresDriver, type TransactionSettings } from 'kysely'
import type { GuardedPool } from './pool.ts'
import { NotBegun } from './unavailable.ts'

/** Kysely over a pool, with a statement of ours that begins each transaction. */
export class AppDialect extends PostgresDialect {
  readonly #pool: GuardedPool
  readonly #begin: string

  constructor(pool: GuardedPool, begin: string) {
    super({ pool })
    this.#pool = pool
    this.#begin = begin
  }

  override createDriver(): Driver {
    return new AppDriver(this.#pool, this.#begin)
  }
}

type Connection = Parameters<PostgresDriver['rollbackTransaction']>[0]

class AppDriver extends PostgresDriver {
  readonly #begin: string

  constructor(pool: GuardedPool, begin: string) {
    super({ pool })
    this.#begin = begin
  }

  override async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined) {
      throw new Error('transactions have one isolation level: read committed')
    }
    try {
      await connection.executeQuery(CompiledQuery.raw(this.#begin))
    } catch (error) {
      // Also discards the connection where that fails.
      await this.rollbackTransaction(connection).catch(() => undefined)
      throw new NotBegun(error)
    }
  }
}
