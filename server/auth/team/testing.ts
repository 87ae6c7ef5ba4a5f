import { accountRoutes } from '../../features/accounts/index.ts'
import { apiKeyRoutes } from '../../features/api-keys/index.ts'
import { feedbackRoutes } from '../../features/feedback/index.ts'
import { settingsRoutes } from '../../features/settings/index.ts'
import { teamRoutes } from '../../features/team/index.ts'
import type { Config } from '../../platform/config/config.ts'
import { openConnection } from '../../platform/db/testing.ts'
import { type TestPerson, testApp } from '../../platform/http/testing.ts'
import { authenticate, authProtocol } from '../index.ts'

/** The password of everyone in these tests. */
export const PASSWORD = 'a sentence nobody guesses'

/** A role in a workspace. */
export type Role = 'viewer' | 'member' | 'owner'

/** A status, and what the calls of these tests answer. */
export type Answer = {
  status: number
  message: string
  link: string
  token: string
  refresh_token: string
  words: string
  invitation: { id: string }
  invitations: unknown[]
  members: { email: string; role: Role; is_me: boolean }[]
  workspace: { id: string; name: string; role: Role; has_others: boolean; time_zone: string | null }
  workspaces: unknown[]
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type As = TestPerson | string

const settings = { method: 'auto', min_inputs: 3, categories: [] }

/** A server with everything that has to do with people, and the calls on it. `owner` is the owner of the tables. */
export async function openTeam(config: Partial<Config> = {}) {
  const test = await testApp(
    (services) => ({
      handlers: [
        ...accountRoutes(services),
        ...apiKeyRoutes(services),
        ...feedbackRoutes(services, { stored: async () => undefined }),
        ...settingsRoutes(services, { thresholdChanged: async () => undefined }),
        ...teamRoutes(services),
      ],
      mounts: [authProtocol(services)],
      authenticate: authenticate(services),
    }),
    { authRateLimits: { signup: 1_000, login: 1_000, verify: 1_000 }, ...config },
  )
  const owner = await openConnection(test.database.ownerUrl)
  const ask = async (method: Method, url: string, as: As, payload?: object): Promise<Answer> => {
    const answer = await test.call(method, url, { as, ...(payload ? { payload } : {}) })
    return { ...(answer.json() as Answer), status: answer.statusCode }
  }
  const invite = (role: Role, as: As) => ask('POST', '/api/team/invitations', as, { role })
  const accept = (token: string, as: As) => ask('POST', '/api/invitations/accept', as, { token })
  return {
    test,
    owner,
    ask,
    invite,
    accept,
    join: async (who: As, role: Role, by: As) => accept(tokenOf(await invite(role, by)), who),
    team: (as: As) => ask('GET', '/api/team', as),
    here: async (as: As) => (await ask('GET', '/api/user/user-data', as)).workspace,
    /** Something that only members may do. */
    change: (as: As) => ask('POST', '/api/user/update-settings', as, settings),
    setRole: (who: TestPerson, role: Role, as: As) => ask('PUT', `/api/team/${who.accountId}/role`, as, { role }),
    remove: (who: TestPerson, as: As) => ask('DELETE', `/api/team/${who.accountId}`, as),
    enter: (workspace: string, as: As) => ask('POST', '/api/workspaces/switch', as, { workspace_id: workspace }),
    logIn: ({ email }: TestPerson) => ask('POST', '/api/auth/login', '', { email, password: PASSWORD }),
    /** The rows of a workspace in a table. */
    async rows(
      table: string,
      { workspaceId }: TestPerson,
      orderBy = 'workspace_id',
    ): Promise<Record<string, unknown>[]> {
      await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', workspaceId])
      return (await owner.query(`select * from ${table} where workspace_id = $1 order by ${orderBy}`, [workspaceId]))
        .rows
    },
    /** Keeps everyone else from changing who is in a workspace until the returned function is called. */
    async hold({ workspaceId }: TestPerson): Promise<() => Promise<void>> {
      const held = await openConnection(test.database.ownerUrl)
      await held.query('begin')
      await held.query(`select pg_advisory_xact_lock(hashtextextended('members of ${workspaceId}', 0))`)
      return async () => {
        await held.query('commit')
        await held.end()
      }
    },
    /** Waits until this many transactions wait for a lock: that of the members, or of a row. */
    async waiting(count: number): Promise<void> {
      for (;;) {
        const { rows } = await owner.query<{ count: number }>(`
          select count(distinct l.pid)::int as count from pg_locks l
          join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
          where not l.granted`)
        if ((rows[0]?.count ?? 0) >= count) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async close() {
      await owner.end()
      await test.cleanup()
    },
  }
}

/** The token in the link of an invitation. */
export function tokenOf({ link }: Answer): string {
  return new URL(link).hash.replace('#invitation=', '')
}

/** The statuses of answers whose order is not known. */
export function statuses(answers: readonly Answer[]): number[] {
  return answers.map(({ status }) => status).toSorted((one, other) => one - other)
}
