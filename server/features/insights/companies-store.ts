import { COMPANY_ATTRIBUTES, MAX_COMPANIES } from '@groundswell/connectors/kit/documents/insight-document.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { feedbackItemsView } from '../feedback/index.ts'

/** Older mentions of a large insight are not searched. */
const MAX_MENTIONS = 1000

/** The companies behind the newest mentions of an insight, by name, those with the newest mentions first where there are too many. */
export async function readCompanies(tx: Tx, workspaceId: string, issueNumber: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select company.name
    from (
      select item_id, said_at from statement where workspace_id = ${workspaceId} and issue_number = ${issueNumber}
      order by said_at desc, item_id desc limit ${MAX_MENTIONS}
    ) mention
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = mention.item_id
    cross join lateral (
      select trim(value) as name from jsonb_each_text(item.attributes) where key = any(${[...COMPANY_ATTRIBUTES]}::text[])
    ) company
    where company.name <> ''
    group by company.name order by max(mention.said_at) desc, company.name limit ${MAX_COMPANIES}`.execute(tx)
  return rows.map(({ name }) => name)
}
