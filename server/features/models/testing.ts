import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { type DestinationStream, pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import type { LlmSettings } from '../../platform/config/model-settings.ts'
import { inWorkspace, type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import { testWorkspace } from '../../platform/db/testing.ts'
import { ScriptedServer } from '../../platform/http/scripted.ts'
import { type TestServices, testServices } from '../../platform/http/testing.ts'
import type { Outage } from '../../platform/model-provider/provider.ts'
import type { Services } from '../../platform/services.ts'
import { readInsight } from '../insights/index.ts'
import { languageModelProvider } from './provider.ts'
import type { ModelTask } from './task.ts'
import { names } from './tasks/names/task.ts'

/** A request as the model receives it: the data between the marks, and everything outside of them. */
export type ReceivedRequest = {
  url: string
  headers: IncomingHttpHeaders
  model: string
  title: string
  messages: string[]
  /** all of the data, in the form of the task */
  data: unknown
  outside: string
  /** the system message alone */
  instructions: string
}

/** An OpenAI-compatible language model. Its list of models requires the key `right`. */
export class ScriptedModel extends ScriptedServer<ReceivedRequest> {
  static start(): Promise<ScriptedModel> {
    const usual = (heard: ReceivedRequest, response: ServerResponse) => respond(response, goodReply(heard))
    return new ScriptedModel(usual, ({ method, url = '', headers }, body, response) => {
      if (method !== 'GET') return readRequest(url, headers, body)
      response.writeHead(headers.authorization === 'Bearer right' ? 200 : 401).end('{"data":[]}')
      return null
    }).listen()
  }
}

/** Replies with a text, as a chat completion. Without `tokens` the usage is left out. */
export function respond(response: ServerResponse, content: unknown, tokens: number | null = 500): void {
  const message = { role: 'assistant', content: typeof content === 'string' ? content : JSON.stringify(content) }
  const usage =
    tokens === null ? {} : { usage: { prompt_tokens: tokens - 50, completion_tokens: 50, total_tokens: tokens } }
  const body = { id: '1', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], ...usage }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** An answer to the messages of these tests that is accepted. */
export function goodReply(
  { messages }: Pick<ReceivedRequest, 'messages'>,
  name = 'CSV export stops for large reports',
) {
  return {
    name,
    summary: 'The CSV export of large reports stops.',
    quotes: messages.slice(0, 2).map((message) => message.slice(0, 30).trim()),
  }
}

function readRequest(url: string, headers: IncomingHttpHeaders, body: string): ReceivedRequest {
  const { model, messages } = JSON.parse(body) as {
    model: string
    messages: { role: string; content: unknown }[]
  }
  const contents = messages.map(({ content }) =>
    typeof content === 'string' ? content : (content as { text: string }[]).map((part) => part.text).join('\n'),
  )
  const all = contents.join('\n')
  const block = /<<<DATA (\S+)>>>\n([^]*?)\n<<<END \1>>>/.exec(all)
  const data = JSON.parse(block?.[2] ?? '{}') as { title: string; messages: string[] }
  const instructions = contents.filter((_, at) => messages[at]?.role === 'system').join('\n')
  return { url, headers, model, ...data, data, outside: all.replace(block?.[0] ?? '', ''), instructions }
}

export const EXPORTS = [
  'The CSV export stops after a few thousand rows, our large reports never finish',
  'Every time I export a large report to CSV the export stops in the middle',
  'CSV export of reports is broken for us: it stops at 10,000 rows',
  'large reports cannot be exported to csv, the file just stops',
  'Our finance team needs the CSV export of the yearly report and it stops half way',
  'export to CSV stops early when the report is large',
]

type RunOptions = { task?: ModelTask; lastAttempt?: boolean; signal?: AbortSignal }

/** Workspaces with insights, a clock that tests set, and what was logged. The queue runs no jobs. */
export class World {
  readonly services: Services
  readonly logged: string[]
  readonly #stop: () => Promise<void>
  now: Date = new Date('2026-03-02T10:20:00Z')

  private constructor({ services, stop }: TestServices, logged: string[]) {
    this.#stop = stop
    this.services = services
    this.logged = logged
    services.now = () => this.now
  }

  static async start(): Promise<World> {
    const logged: string[] = []
    const destination: DestinationStream = { write: (line: string) => void logged.push(line) }
    const log = pino({ level: 'trace' }, destination)
    return new World(await testServices({}, log), logged)
  }

  stop(): Promise<void> {
    return this.#stop()
  }

  /** A second process over the same database. */
  otherProcess(): Services {
    return withCaches(this.services)
  }

  /** Deletes outages and the use of the budget, as in a new installation. */
  async reset(): Promise<void> {
    await withoutWorkspace(this.services.db, async (tx) => {
      await sql`delete from model_trouble`.execute(tx)
      await sql`delete from model_budget`.execute(tx)
      await sql`delete from budget_share`.execute(tx)
    })
    this.logged.length = 0
  }

  outage(): Promise<Outage | null> {
    return languageModelProvider(this.services).readOutage()
  }

  later(minutes: number): void {
    this.now = new Date(this.now.getTime() + minutes * 60_000)
  }

  inside<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return inWorkspace(this.services.db, workspaceId, work)
  }

  async workspace(): Promise<string> {
    const workspaceId = await testWorkspace(this.services.db)
    await this.inside(workspaceId, (tx) =>
      sql`insert into connection (workspace_id, connector) values (${workspaceId}, 'file')`.execute(tx),
    )
    return workspaceId
  }

  /** Creates an insight as grouping does, or adds mentions to it, each by a different person unless `author` is given. */
  async insight(
    workspaceId: string,
    issueNumber: number,
    messages: readonly string[],
    options: { name?: string; hash?: string; author?: string } = {},
  ): Promise<void> {
    const { name = `Engine's name ${issueNumber}`, hash = 'h1', author } = options
    await this.inside(workspaceId, async (tx) => {
      await sql`
        insert into insight (workspace_id, issue_number, name, summary, described_hash)
        values (${workspaceId}, ${issueNumber}, ${name}, 'By the engine.', ${hash})
        on conflict (workspace_id, issue_number) do update set name = excluded.name, described_hash = excluded.described_hash`.execute(
        tx,
      )
      const people = messages.map((_, at) => author ?? `Person ${issueNumber}-${at}`)
      await sql`
        with item as (
          insert into feedback_item (workspace_id, connection_id, external_id, text, author, said_at, grouped_seq)
          select ${workspaceId}::uuid, connection.id, gen_random_uuid()::text, said.text, said.person,
            ${this.now}::timestamptz - said.at * interval '1 minute', 1
          from unnest(${[...messages]}::text[], ${people}::text[]) with ordinality as said (text, person, at)
          join connection on connection.workspace_id = ${workspaceId}
          returning id, text, said_at
        )
        insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason,
          said_at)
        select ${workspaceId}::uuid, id, 0, 0, 100000, 'joined', ${issueNumber}, 1, 'test', said_at from item`.execute(
        tx,
      )
      await sql`
        update insight set mention_count = mention_count + ${messages.length}::int
        where workspace_id = ${workspaceId} and issue_number = ${issueNumber}`.execute(tx)
    })
  }

  settings(model: ScriptedModel, more: Partial<LlmSettings> = {}): LlmSettings {
    return {
      provider: 'openai-compatible',
      url: model.url,
      key: 'right',
      model: 'small',
      tokensPerDay: 200_000,
      ...more,
    }
  }

  /** One run of a task, as its job does it. */
  run(workspaceId: string, settings: LlmSettings, options: RunOptions = {}) {
    const { task = names, lastAttempt = false, signal = new AbortController().signal } = options
    return task.run(this.services, settings, workspaceId, { signal, lastAttempt })
  }

  async shown(workspaceId: string, issueNumber: number): Promise<{ name: string; summary: string } | null> {
    const row = await this.inside(workspaceId, (tx) => readInsight(tx, workspaceId, issueNumber))
    return row && { name: row.issue_name, summary: row.summary }
  }

  async stored(workspaceId: string, issueNumber: number): Promise<Record<string, unknown> | undefined> {
    const { rows } = await this.inside(workspaceId, (tx) =>
      sql<Record<string, unknown>>`
        select name, refused, tokens, failures, model, prompt_version, mention_count from model_description
        where workspace_id = ${workspaceId} and issue_number = ${issueNumber}`.execute(tx),
    )
    return rows[0]
  }

  /** The day's tokens of the installation and of one workspace. */
  async used(workspaceId: string): Promise<{ installation: number; workspace: number; calls: number }> {
    const { rows } = await this.inside(workspaceId, (tx) =>
      sql<{ installation: number; workspace: number; calls: number }>`
        select (select coalesce(sum(tokens), 0)::bigint from model_budget) as installation,
          (select coalesce(sum(tokens), 0)::bigint from model_day) as workspace,
          (select coalesce(sum(calls), 0)::bigint from model_day) as calls`.execute(tx),
    )
    return rows[0] ?? { installation: 0, workspace: 0, calls: 0 }
  }
}

/** The world of the test file. */
export let world: World

/** Gives the tests of the file one world. */
export function withWorld(): void {
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world.stop())
}
