import { sql } from 'kysely'
import { type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { modelOf, spaceOfGeneration } from './embedder.ts'
import { packVector, unpackVector } from './vector-bytes.ts'

/** A model by what it answers about the probe. `since`: when it was found to answer like this. */
export type KnownModel = { space: string; probe: Buffer; since: Date }

/** Sent along with every call: what a model answers about it says whether it is still the one that it was. */
export const PROBE = 'The export of our monthly report stops after the first thousand rows.'

/** From this cosine on, two answers about one text are of one model: what rounding and batching change is far less. */
const SAME_FROM = 0.99

/** How a model of this name answers now; null: it was never asked. */
export async function readKnown(tx: Tx, name: string): Promise<KnownModel | null> {
  const { rows } = await sql<KnownModel>`
    select space, probe, since from embedding_model where name = ${name} and current`.execute(tx)
  return rows[0] ?? null
}

/** Whether a vector is what the model has answered about the probe. */
export function isLike({ probe }: KnownModel, answered: Float32Array): boolean {
  const before = unpackVector(probe)
  if (before.length !== answered.length) return false
  return before.reduce((sum, value, at) => sum + value * (answered[at] as number), 0) >= SAME_FROM
}

/**
 * Keeps how a model answers now and returns which one that is: the one it was, one that stood behind this name before, or a new
 * one, which gets a space of its own. Operators are told when it is not the one it was. Workers that notice at once agree.
 */
export async function recogniseModel(services: Services, name: string, answered: Float32Array): Promise<KnownModel> {
  const since = services.now()
  const { known, isOther } = await withoutWorkspace(services.db, async (tx) => {
    await sql`lock table embedding_model in share row exclusive mode`.execute(tx)
    const { rows } = await sql<KnownModel & { current: boolean }>`
      select space, probe, since, current from embedding_model where name = ${name} order by current desc, since desc`.execute(
      tx,
    )
    const found = rows.find((one) => isLike(one, answered))
    if (found?.current) return { known: found, isOther: false }
    await sql`update embedding_model set current = false where name = ${name} and current`.execute(tx)
    const probe = found?.probe ?? packVector(answered)
    const space = found?.space ?? spaceOfGeneration(name, rows.length + 1)
    await sql`
      insert into embedding_model (space, name, probe, current, since)
      values (${space}, ${name}, ${probe}, true, ${since}::timestamptz)
      on conflict (space) do update set current = true, since = excluded.since`.execute(tx)
    return { known: { space, probe, since }, isOther: rows.length > 0 }
  })
  if (isOther) {
    services.log.warn(
      { model: modelOf(name) },
      'the embedding model answers otherwise than before: behind its name is another model, which is not mixed in',
    )
  }
  return known
}
