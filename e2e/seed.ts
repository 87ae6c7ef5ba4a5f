import { type Seed, seedInsights } from '@groundswell/server/faults/many-insights.ts'
import { connectAsOwner } from './database.ts'
import type { Stack } from './stack.ts'

/** Fills the workspace of an account that has signed up with many insights. */
export async function seed(stack: Stack, email: string, what: Seed): Promise<void> {
  const client = await connectAsOwner(stack)
  try {
    const { rows } = await client.query<{ id: string }>(
      `select s.workspace_id as id from session s join account a on a.id = s.account_id where a.email = $1 limit 1`,
      [email],
    )
    const workspaceId = rows[0]?.id
    if (!workspaceId) throw new Error(`nobody is signed in as ${email}`)
    await client.query('begin')
    await client.query(`select set_config('groundswell.workspace', $1, true)`, [workspaceId])
    await seedInsights((text, values) => client.query(text, values), workspaceId, what)
    await client.query('commit')
  } finally {
    await client.end()
  }
}
