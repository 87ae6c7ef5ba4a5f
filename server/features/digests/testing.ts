import { sql } from 'kysely'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { type MailServer, mailServer } from '../../platform/mail/testing.ts'
import { World } from '../insights/testing.ts'
import { digestRoutes } from './routes.ts'

/** A server that sends mails to its own mail server, with workspaces of one member each. The member's id is that of the workspace. */
export async function mailingWorld(
  smtpUrl?: string,
): Promise<{ world: World; mail: MailServer; stop(): Promise<void> }> {
  const mail = await mailServer()
  const world = await World.start(digestRoutes, {
    smtpUrl: smtpUrl ?? mail.url,
    publicUrl: 'https://feedback.example',
    mailFrom: 'Groundswell <groundswell@feedback.example>',
  })
  return {
    world,
    mail,
    async stop() {
      await world.stop()
      await mail.stop()
    },
  }
}

/** A workspace with a member whose address is confirmed, and the address. */
export async function memberOf(world: World, name: string): Promise<{ workspace: string; address: string }> {
  const workspace = await world.workspace()
  const address = `${name}-${workspace.slice(0, 8)}@example.com`
  await withoutWorkspace(world.services.db, (tx) =>
    sql`insert into account (id, email, name, password_hash, email_confirmed_at)
      values (${workspace}, ${address}, ${name}, 'none', now())`.execute(tx),
  )
  await world.inside(workspace, (tx) =>
    sql`insert into member (workspace_id, account_id, role) values (${workspace}, ${workspace}, 'owner')`.execute(tx),
  )
  return { workspace, address }
}
