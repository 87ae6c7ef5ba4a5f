import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** A stored second factor. The secret is null after a restore without secrets. */
export type FactorRow = {
  id: string
  accountId: string
  friendlyName: string
  status: 'unverified' | 'verified'
  sealedSecret: string | null
  lastStep: number
  createdAt: Date
}

/** A challenge for the code of a factor, for one session and one address. */
export type ChallengeRow = {
  id: string
  sessionId: string
  address: string
  failures: number
  expiresAt: Date
  usedAt: Date | null
}

const factor = sql`
  id, account_id as "accountId", friendly_name as "friendlyName", status, sealed_secret as "sealedSecret",
  last_step as "lastStep", created_at as "createdAt"`

/** The factors of an account, oldest first. */
export async function factorsOf(tx: AccountTx, accountId: string): Promise<FactorRow[]> {
  const { rows } = await sql<FactorRow>`
    select ${factor} from factor where account_id = ${accountId} order by created_at, id`.execute(tx)
  return rows
}

/** One factor, locked until the transaction ends; null when the account has no such factor. */
export async function lockFactor(tx: AccountTx, accountId: string, id: string): Promise<FactorRow | null> {
  const { rows } = await sql<FactorRow>`
    select ${factor} from factor where id = ${id} and account_id = ${accountId} for update`.execute(tx)
  return rows[0] ?? null
}

/** Stores a factor that is not verified yet. */
export async function insertFactor(
  tx: AccountTx,
  row: { id: string; accountId: string; friendlyName: string; sealedSecret: string; at: Date },
): Promise<void> {
  await sql`
    insert into factor (id, account_id, factor_type, friendly_name, sealed_secret, created_at, updated_at)
    values (${row.id}, ${row.accountId}, 'totp', ${row.friendlyName}, ${row.sealedSecret}, ${row.at}, ${row.at})`.execute(
    tx,
  )
}

/** Records the last accepted time step, which also verifies the factor. */
export async function acceptStep(tx: AccountTx, id: string, step: number, at: Date): Promise<void> {
  await sql`
    update factor set last_step = ${step}, status = 'verified', updated_at = ${at} where id = ${id}`.execute(tx)
}

/** Removes a factor of an account and returns it; null when there is no such factor. */
export async function deleteFactor(tx: AccountTx, accountId: string, id: string): Promise<FactorRow | null> {
  const { rows } = await sql<FactorRow>`
    delete from factor where id = ${id} and account_id = ${accountId} returning ${factor}`.execute(tx)
  return rows[0] ?? null
}

/** Removes factors of an account that were never verified: all of them, or those from before a time. */
export async function deleteUnverified(tx: AccountTx, accountId: string, before: Date | null = null): Promise<void> {
  await sql`
    delete from factor where account_id = ${accountId} and status = 'unverified'
      and (${before}::timestamptz is null or created_at < ${before})`.execute(tx)
}

/** Creates a challenge for a factor and returns its id. */
export async function insertChallenge(
  tx: AccountTx,
  row: { factorId: string; sessionId: string; address: string; at: Date; expiresAt: Date },
): Promise<string> {
  await sql`update factor set last_challenged_at = ${row.at} where id = ${row.factorId}`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    insert into challenge (factor_id, session_id, address, created_at, expires_at)
    values (${row.factorId}, ${row.sessionId}, ${row.address}, ${row.at}, ${row.expiresAt}) returning id`.execute(tx)
  return rows[0]?.id ?? ''
}

/** A challenge of a factor. */
export async function findChallenge(tx: AccountTx, factorId: string, id: string): Promise<ChallengeRow | null> {
  const { rows } = await sql<ChallengeRow>`
    select id, session_id as "sessionId", address, failures, expires_at as "expiresAt", used_at as "usedAt"
    from challenge where id = ${id} and factor_id = ${factorId} for update`.execute(tx)
  return rows[0] ?? null
}

/** Counts a wrong code. */
export async function countFailure(tx: AccountTx, challengeId: string): Promise<void> {
  await sql`update challenge set failures = failures + 1 where id = ${challengeId}`.execute(tx)
}

/** Marks a challenge as used. */
export async function useChallenge(tx: AccountTx, challengeId: string, at: Date): Promise<void> {
  await sql`update challenge set used_at = ${at} where id = ${challengeId}`.execute(tx)
}

/** Challenges of an account's factors since a time, and wrong codes, by address. */
export async function recentTries(
  tx: AccountTx,
  accountId: string,
  since: Date,
): Promise<{ address: string; failures: number; challenges: number }[]> {
  const { rows } = await sql<{ address: string; failures: number; challenges: number }>`
    select c.address, sum(c.failures)::int as failures, count(*)::int as challenges
    from challenge c join factor f on f.id = c.factor_id
    where f.account_id = ${accountId} and c.created_at > ${since} group by c.address`.execute(tx)
  return rows
}

/** Addresses and networks from which sessions that passed the account's second factor were used. */
export async function provenAddresses(tx: AccountTx, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select s.address from session s
    where s.account_id = ${accountId} and s.aal = 'aal2' and s.address is not null
    union select p.network from session_place p join session s on s.id = p.session_id
    where s.account_id = ${accountId} and s.aal = 'aal2'`.execute(tx)
  return rows.map((row) => row.address)
}

/** Deletes an account's challenges from before a time. */
export async function deleteOldChallenges(tx: AccountTx, accountId: string, before: Date): Promise<void> {
  await sql`
    delete from challenge c using factor f
    where f.id = c.factor_id and f.account_id = ${accountId} and c.created_at < ${before}`.execute(tx)
}

/** Returns every session of an account to aal1 and removes the second factor from its methods. */
export async function lowerSessions(tx: AccountTx, accountId: string): Promise<void> {
  await sql`
    update session set aal = 'aal1', amr = coalesce(
      (select jsonb_agg(method) from jsonb_array_elements(amr) method where method ->> 'method' not in ('totp', 'recovery_code')),
      '[]')
    where account_id = ${accountId} and aal = 'aal2' and ended_at is null`.execute(tx)
}

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(
  tx: AccountTx,
  accountId: string,
  hashes: readonly Buffer[],
  at: Date,
): Promise<void> {
  await sql`delete from recovery_code where account_id = ${accountId}`.execute(tx)
  for (const hash of hashes) {
    await sql`
      insert into recovery_code (account_id, code_hash, created_at) values (${accountId}, ${hash}, ${at})`.execute(tx)
  }
}

/** Marks a recovery code as used. False when it is unknown or already used. */
export async function takeRecoveryCode(tx: AccountTx, accountId: string, hash: Buffer, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update recovery_code set used_at = ${at}
    where account_id = ${accountId} and code_hash = ${hash} and used_at is null returning 1`.execute(tx)
  return rows.length > 0
}

/** The number of unused recovery codes, and when they were created. */
export async function countRecoveryCodes(
  tx: AccountTx,
  accountId: string,
): Promise<{ left: number; madeAt: Date | null }> {
  const { rows } = await sql<{ left: number; madeAt: Date | null }>`
    select (count(*) filter (where used_at is null))::int as left, max(created_at) as "madeAt"
    from recovery_code where account_id = ${accountId}`.execute(tx)
  return rows[0] ?? { left: 0, madeAt: null }
}
