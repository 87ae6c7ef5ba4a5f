import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { feedbackItemsView } from '../../feedback/index.ts'

/** A person's newest mention of an insight in a conversation of one of some connectors. `thread`: as the connector names the conversation. */
export type Conversation = {
  person: string
  name: string | null
  connector: string
  thread: string
  place: string | null
  link: string | null
}

/** Where people asked for an insight, among these connectors: each person once, the newest first. */
export async function readConversations(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  connectors: readonly string[],
): Promise<Conversation[]> {
  const { rows } = await sql<Conversation>`
    select encode(person, 'hex') as person, name, connector, thread, place, link
    from (
      select distinct on (person_of(item.author, item.id)) person_of(item.author, item.id) as person, item.author as name,
        connection.connector, item.thread, item.place, item.link, s.said_at, item.id
      from statement s
      join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
      join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
      where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber} and item.thread is not null
        and connection.connector = any(${[...connectors]}::text[])
      order by person_of(item.author, item.id), s.said_at desc, item.id desc
    ) newest
    order by said_at desc, id desc`.execute(tx)
  return rows
}
