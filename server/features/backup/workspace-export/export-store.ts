import type pg from 'pg'

/** Any fixed numbers: they name the locks of the exports that run. */
const WORKSPACE_LOCK = 723_641_011
const SLOT_LOCK = 723_641_012

/** How many exports run at once, over all processes and workspaces. */
const SLOTS = 3

/** Begins a transaction that sees one state of the workspace until it ends, and changes nothing. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query('begin transaction isolation level repeatable read read only')
}

/** Whether the account owns the workspace that the transaction has entered. */
export async function isOwner(client: pg.Client, workspaceId: string, accountId: string): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from member where workspace_id = $1 and account_id = $2 and role = 'owner'`,
    [workspaceId, accountId],
  )
  return rows.length > 0
}

/** Claims an export until the transaction ends. `running`: there is one of this workspace. `full`: too many run. */
export async function claimExport(client: pg.Client, workspaceId: string): Promise<'claimed' | 'running' | 'full'> {
  const claim = async (text: string, values: unknown[]) => {
    const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_xact_lock(${text}) as held`, values)
    return rows[0]?.held ?? false
  }
  if (!(await claim('$1, hashtext($2)', [WORKSPACE_LOCK, workspaceId]))) return 'running'
  for (let slot = 0; slot < SLOTS; slot += 1) {
    if (await claim('$1, $2', [SLOT_LOCK, slot])) return 'claimed'
  }
  return 'full'
}

/** The members of the workspace that the transaction has entered, with their names and addresses, as JSON texts. */
export async function memberRows(client: pg.Client, workspaceId: string): Promise<string[]> {
  const { rows } = await client.query<{ row: string }>(
    `select (to_jsonb(m) || jsonb_build_object('name', p.name, 'email', p.email))::text as row
     from member m join people_of_workspace() p on p.account_id = m.account_id
     where m.workspace_id = $1 order by m.created_at, m.account_id`,
    [workspaceId],
  )
  return rows.map(({ row }) => row)
}
