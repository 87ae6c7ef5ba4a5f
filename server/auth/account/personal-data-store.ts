import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** All other personal data of an account, for its owner, without hashes and secrets. */
export async function personalRows(tx: AccountTx, accountId: string): Promise<Record<string, unknown[]>> {
  const read = async (statement: ReturnType<typeof sql>) => (await statement.execute(tx)).rows
  return {
    sign_ins: await read(sql`
      select id, aal, amr, user_agent, address, created_at, last_used_at, idle_until, expires_at, ended_at
      from session where account_id = ${accountId} order by created_at`),
    places: await read(sql`
      select p.session_id, p.network, p.device, p.first_used_at from session_place p join session s on s.id = p.session_id
      where s.account_id = ${accountId} order by p.first_used_at`),
    identities: await read(sql`
      select provider, subject, email, data, created_at, last_sign_in_at from identity where account_id = ${accountId}`),
    second_factors: await read(sql`
      select id, friendly_name, factor_type, status, created_at, last_challenged_at from factor
      where account_id = ${accountId} order by created_at`),
    recovery_codes: await read(sql`
      select created_at, used_at from recovery_code where account_id = ${accountId} order by created_at`),
    api_keys: await read(sql`
      select workspace_id, name, scopes, created_at, expires_at, last_used_at from api_key
      where account_id = ${accountId} order by created_at`),
    invitations: await read(sql`
      select workspace_id, role, email, created_at, expires_at from invitation
      where invited_by = ${accountId} order by created_at`),
    shared_links: await read(sql`
      select workspace_id, issue_number, view_id, hide_names, hide_quotes, created_at, expires_at from shared_link
      where account_id = ${accountId} order by created_at`),
  }
}
