import { sql } from 'kysely'
import type { Tx } from '../db/tenant.ts'
import { exceedsShare, type HolderKeys } from './share.ts'

/** Any fixed number: it names the lock under which turns of a kind are taken. */
const TURNS_LOCK = 723_641_013

/** The clocks of two machines. */
const CLOCKS_DIFFER = sql`interval '1 minute'`

/** A call that runs or waits, until it ends or its process stops renewing it. */
type Turn = HolderKeys & { kind: string; id: string }
type Row = HolderKeys & { id: string; runs: boolean }

/**
 * Lets a call run if that is within its holder's share of the `atOnce` that run at once, over all processes, and otherwise records that it waits.
 * `long`: half is left to others although they do not wait yet, because a call cannot be taken back. True when it runs.
 */
export async function takeTurn(
  tx: Tx,
  turn: Turn,
  { atOnce, long, now, expiresAt }: { atOnce: number; long: boolean; now: Date; expiresAt: Date },
): Promise<boolean> {
  const { kind, id, workspace, person } = turn
  await sql`select pg_advisory_xact_lock(${TURNS_LOCK}::int, hashtext(${kind}))`.execute(tx)
  await sql`delete from call_turn where kind = ${kind} and expires_at < ${now}::timestamptz`.execute(tx)
  // One that ends much later than this one was recorded while the clock was ahead: a call that still runs renews it soon.
  const { rows } = await sql<Row>`
    select id, workspace, person, runs from call_turn where kind = ${kind} and id <> ${id}::uuid
      and expires_at <= ${expiresAt}::timestamptz + ${CLOCKS_DIFFER}`.execute(tx)
  const runs = mayRun(turn, rows, atOnce, long)
  await sql`
    insert into call_turn (kind, id, workspace, person, runs, expires_at)
    values (${kind}, ${id}::uuid, ${workspace}, ${person}, ${runs}, ${expiresAt}::timestamptz)
    on conflict (kind, id) do update set runs = excluded.runs, expires_at = excluded.expires_at`.execute(tx)
  return runs
}

/** Keeps a running call counted until then. */
export async function renewTurn(tx: Tx, { kind, id }: Turn, expiresAt: Date): Promise<void> {
  await sql`
    update call_turn set expires_at = ${expiresAt}::timestamptz where kind = ${kind} and id = ${id}::uuid`.execute(tx)
}

/** Ends a call, or its waiting. */
export async function endTurn(tx: Tx, { kind, id }: Turn): Promise<void> {
  await sql`delete from call_turn where kind = ${kind} and id = ${id}::uuid`.execute(tx)
}

function mayRun(turn: HolderKeys, others: readonly Row[], atOnce: number, long: boolean): boolean {
  const running = others.filter((one) => one.runs)
  if (running.length >= atOnce) return false
  const isColleague = (one: HolderKeys) => one.workspace === turn.workspace && one.person !== turn.person
  const ofWorkspace = (one: HolderKeys) => running.filter(({ workspace }) => workspace === one.workspace).length
  const ofPerson = (one: HolderKeys) =>
    running.filter(({ workspace, person }) => workspace === one.workspace && person === one.person).length
  const held = { own: ofPerson(turn), workspace: ofWorkspace(turn), all: running.length }
  const waits = others.filter((one) => !one.runs)
  return !exceedsShare(atOnce, 1, held, {
    colleague: long || waits.some((one) => isColleague(one) && ofPerson(one) < held.own),
    otherWorkspace: long || waits.some((one) => one.workspace !== turn.workspace && ofWorkspace(one) < held.workspace),
  })
}
