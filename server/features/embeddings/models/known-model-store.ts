import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** A model, identified by its vector of the probe. `since`: when its name began to refer to it. */
export type KnownModel = { space: string; probe: Buffer; since: Date }

/** The model that a name refers to; null when it was never called. */
export async function readKnown(tx: Tx, name: string): Promise<KnownModel | null> {
  const { rows } = await sql<KnownModel>`
    select space, probe, since from embedding_model where name = ${name} and current`.execute(tx)
  return rows[0] ?? null
}

/** Every model that a name has referred to, the current one first. Other writers wait until the transaction ends. */
export async function lockAndReadAll(tx: Tx, name: string): Promise<(KnownModel & { current: boolean })[]> {
  await sql`lock table embedding_model in share row exclusive mode`.execute(tx)
  const { rows } = await sql<KnownModel & { current: boolean }>`
    select space, probe, since, current from embedding_model where name = ${name} order by current desc, since desc`.execute(
    tx,
  )
  return rows
}

/** Makes this the model that a name refers to. */
export async function writeCurrent(tx: Tx, name: string, { space, probe, since }: KnownModel): Promise<void> {
  await sql`update embedding_model set current = false where name = ${name} and current`.execute(tx)
  await sql`
    insert into embedding_model (space, name, probe, current, since)
    values (${space}, ${name}, ${probe}, true, ${since}::timestamptz)
    on conflict (space) do update set current = true, since = excluded.since`.execute(tx)
}
