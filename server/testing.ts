import type { SlackSandbox } from '@groundswell/connectors/sandbox/index.ts'
import type pg from 'pg'
import { vi } from 'vitest'
import { authenticate } from './auth/index.ts'
import { grantAdmin } from './features/accounts/index.ts'
import type { Config } from './platform/config/config.ts'
import { openConnection } from './platform/db/testing.ts'
import type { HttpOptions } from './platform/http/create.ts'
import type { Handler } from './platform/http/handle.ts'
import { type TestApp, type TestPerson, testApp } from './platform/http/testing.ts'
import type { Services } from './platform/services.ts'
import { duringTests } from './platform/testing.ts'
import { handlers } from './wiring.ts'

const PASSWORD = 'a sentence nobody guesses'

/** Who is in a workspace, each with a token, and Bo, who is in another one. */
export type People = { ann: TestPerson; max: TestPerson; vera: TestPerson; bo: TestPerson }

/** The parts of a server, or its handlers alone. */
type Parts = Handler[] | Omit<HttpOptions, 'authenticate'>

/** A server that runs during the tests of a file. People sign in as in the product. `config`: a function where it names what is started too. */
export function appOfFile(
  parts: (services: Services) => Parts,
  config: Partial<Config> | (() => Partial<Config>) = {},
): TestApp {
  const options = (services: Services): HttpOptions => {
    const given = parts(services)
    return { ...(Array.isArray(given) ? { handlers: given } : given), authenticate: authenticate(services) }
  }
  return duringTests(() => testApp(options, typeof config === 'function' ? config() : config))
}

/** What a server needs to sign people in at a stand-in of Slack. */
export const configWith = ({ url, environment }: SlackSandbox): Partial<Config> => ({
  publicUrl: 'https://feedback.example.com',
  baseUrls: { slack: url },
  appCredentials: environment,
})

/** Makes a person an admin. Who is one is remembered until the database announces a change, so this waits until calls with the person's token know it. */
export async function makeAdmin({ services }: Pick<TestApp, 'services'>, { email, token }: TestPerson): Promise<void> {
  await grantAdmin(services, email)
  const known = async () => {
    if (!(await authenticate(services)(token))?.isAdmin) throw new Error(`${email} is not an admin yet`)
  }
  await vi.waitFor(known, { timeout: 30_000, interval: 20 })
}

/** A server with every call, and workspaces with an owner (Ann), a member (Max) and a viewer (Vera). */
export class TeamWorld {
  readonly test: TestApp
  /** The owner of the tables. */
  readonly owner: pg.Client
  #made = 0

  private constructor(test: TestApp, owner: pg.Client) {
    this.test = test
    this.owner = owner
  }

  static async start(config: Partial<Config> = {}): Promise<TeamWorld> {
    const test = await testApp((services) => ({ handlers: handlers(services), authenticate: authenticate(services) }), {
      authRateLimits: null,
      ...config,
    })
    const owner = await openConnection(test.database.ownerUrl)
    return new TeamWorld(test, owner)
  }

  async stop(): Promise<void> {
    await this.owner.end()
    await this.test.cleanup()
  }

  /** A separate workspace for a test, with the insights #1 to #3. */
  async people(): Promise<People> {
    this.#made += 1
    const ann = await this.test.person(`ann${this.#made}`)
    const bo = await this.test.person(`bo${this.#made}`)
    const max = await this.#join(ann.workspaceId, `max${this.#made}`, 'member')
    const vera = await this.#join(ann.workspaceId, `vera${this.#made}`, 'viewer')
    await this.enter(ann.workspaceId)
    await this.owner.query(
      `insert into insight (workspace_id, issue_number, name, summary, revision)
       select $1, n, 'issue ' || n, 'what they say', 1 from generate_series(1, 3) n`,
      [ann.workspaceId],
    )
    return { ann, max, vera, bo }
  }

  /** Lets the owner of the tables see the rows of a workspace. */
  async enter(workspaceId: string): Promise<void> {
    await this.owner.query('select set_config($1, $2, false)', ['groundswell.workspace', workspaceId])
  }

  async #join(workspaceId: string, name: string, role: 'member' | 'viewer'): Promise<TestPerson> {
    const person = await this.test.person(name, { password: PASSWORD })
    await this.enter(person.workspaceId)
    await this.owner.query('delete from member where account_id = $1', [person.accountId])
    await this.enter(workspaceId)
    await this.owner.query('insert into member (workspace_id, account_id, role) values ($1, $2, $3)', [
      workspaceId,
      person.accountId,
      role,
    ])
    const payload = { email: person.email, password: PASSWORD }
    const { token } = (await this.test.call('POST', '/api/auth/login', { payload })).json() as { token: string }
    return { ...person, token, workspaceId }
  }
}
