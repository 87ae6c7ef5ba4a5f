import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Insight } from '@groundswell/contract/insights.ts'
import type { EmbeddingState } from '@groundswell/contract/models/embeddings.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type DestinationStream, pino } from 'pino'
import { withCaches } from '../../platform/caches.ts'
import type { Config } from '../../platform/config/config.ts'
import type { EmbeddingSettings } from '../../platform/config/model-settings.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { testWorkspace } from '../../platform/db/testing.ts'
import { ScriptedServer } from '../../platform/http/scripted.ts'
import { believingServer, type TestServices, testServices } from '../../platform/http/testing.ts'
import type { Outage } from '../../platform/model-provider/provider.ts'
import type { Services } from '../../platform/services.ts'
import { fileConnection } from '../connections/index.ts'
import { storeItems } from '../feedback/index.ts'
import { groupNow, insightRoutes } from '../insights/index.ts'
import { advance } from './advance.ts'
import { type EncodeOptions, encodeWorkspace } from './encode.ts'
import { requestEncoding } from './encode-job.ts'
import { meaningHooks } from './explain.ts'
import { PROBE } from './models/known-model.ts'
import { embeddingProvider } from './models/provider.ts'
import { embeddingRoutes } from './routes.ts'
import { searchByMeaning } from './search/search-by-meaning.ts'
import { vectorSource } from './source.ts'

/**
 * Computes all missing vectors of a workspace. As in production one run ends after a minute, which a busy machine spends on a few messages:
 * the encoder has the lowest priority.
 */
export async function encodeAll(
  services: Services,
  workspaceId: string,
  stored?: EncodeOptions['stored'],
): Promise<void> {
  const options = { signal: new AbortController().signal, lastAttempt: true, stored }
  while ((await encodeWorkspace(services, workspaceId, options)).more);
}

/** A request as the stand-in received it. */
export type ReceivedRequest = { url: string; headers: IncomingHttpHeaders; model: string; input: string[] }
/** An OpenAI-compatible server of embeddings. */
export class ScriptedEmbeddings extends ScriptedServer<ReceivedRequest> {
  static start(): Promise<ScriptedEmbeddings> {
    const usual = (heard: ReceivedRequest, response: ServerResponse) => answer(response, heard.input.map(vectorOf))
    return new ScriptedEmbeddings(usual, ({ url = '', headers }, body) => {
      const { model, input } = JSON.parse(body) as { model: string; input: string[] }
      return { url, headers, model, input }
    }).listen()
  }

  /** Every text that it received, in order, without the probe. */
  get texts(): string[] {
    return this.heard.flatMap((one) => one.input).filter((text) => text !== PROBE)
  }
}

const SEARCH_MS = 60_000

function serve(services: Services): Promise<FastifyInstance> {
  // Longer than in the product: on a slow machine a search would fall back to words.
  const meaning = { ...meaningHooks(services), search: searchByMeaning(services, SEARCH_MS) }
  return believingServer(services, [...insightRoutes(services, meaning), ...embeddingRoutes(services)])
}

/** Replies with these vectors, in their order. */
export function answer(response: ServerResponse, rows: readonly unknown[]): void {
  const data = rows.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const body = { object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const TOPICS = [/export|csv|download|spreadsheet/i, /password|sign.?in|log.?in/i, /dark|night/i, /invoice|tax|bill/i]

/** The scripted model's vector of a text: mainly its topic, with a small difference per text. */
export function vectorOf(text: string): number[] {
  const vector: number[] = TOPICS.map((topic) => (topic.test(text) ? 1 : 0))
  for (let i = 0; i < 4; i++) vector.push(((text.charCodeAt(i % text.length) % 17) - 8) / 60 + 0.001)
  return vector
}

/** A message to store. */
export type Said = { id: string; text: string; author?: string }

/** A server, workspaces, a clock that tests set, and what was logged. The queue runs no jobs: tests call `advance`. */
export class World {
  readonly services: Services
  readonly logged: string[]
  readonly app: FastifyInstance
  readonly #stop: () => Promise<void>
  now: Date = new Date('2026-03-02T10:20:00Z')

  private constructor({ services, stop }: TestServices, logged: string[], app: FastifyInstance) {
    this.services = services
    this.logged = logged
    this.app = app
    this.#stop = stop
    services.now = () => this.now
  }

  static async start(settings?: EmbeddingSettings, config: Partial<Config> = {}): Promise<World> {
    const logged: string[] = []
    const destination: DestinationStream = { write: (line: string) => void logged.push(line) }
    const started = await testServices({ ...config, embeddings: settings }, pino({ level: 'trace' }, destination))
    return new World(started, logged, await serve(started.services))
  }

  /** The same installation, started again with another model and other settings. */
  async restarted(settings: EmbeddingSettings | undefined, more: Partial<Config> = {}): Promise<World> {
    const config = { ...this.services.config, embeddings: settings, ...more }
    const services = withCaches({ ...this.services, config })
    const world = new World({ services, stop: () => services.caches.dispose() }, this.logged, await serve(services))
    world.now = this.now
    return world
  }

  async stop(): Promise<void> {
    await this.app.close()
    await this.#stop()
  }

  later(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000)
  }

  inside<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return inWorkspace(this.services.db, workspaceId, work)
  }

  workspace(): Promise<string> {
    return testWorkspace(this.services.db)
  }

  /** Stores messages as an import does; the same id again is an edit. */
  async store(workspaceId: string, messages: readonly Said[]): Promise<void> {
    await this.inside(workspaceId, async (tx) => {
      const connection = await fileConnection(tx, workspaceId)
      const items = messages.map(({ id, text, author }) => ({
        externalId: id,
        text,
        author: author ?? `person ${id}`,
        at: this.now,
        link: null,
        thread: null,
        place: null,
      }))
      await storeItems(tx, workspaceId, connection.id, items)
    })
  }

  /** Groups as a worker does. */
  group(workspaceId: string, services = this.services): Promise<number> {
    return groupNow(services, workspaceId, {
      changed: async () => undefined,
      grouped: requestEncoding(services),
      vectors: vectorSource(services),
    })
  }

  /** One run of the background job. */
  advance(workspaceId: string, options: { lastAttempt?: boolean; signal?: AbortSignal; runMs?: number } = {}) {
    const { lastAttempt = false, signal = new AbortController().signal, runMs } = options
    const hooks = { changed: async () => undefined, vectors: vectorSource(this.services) }
    return advance(this.services, workspaceId, hooks, { lastAttempt, signal, runMs })
  }

  async call<T>(workspaceId: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
    const headers = { authorization: `Bearer ${workspaceId}` }
    const response = await this.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    return { status: response.statusCode, body: response.json() as T }
  }

  async state(workspaceId: string): Promise<EmbeddingState> {
    return (await this.call<EmbeddingState>(workspaceId, 'GET', '/api/embeddings')).body
  }

  async list(workspaceId: string): Promise<Insight[]> {
    return (await this.call<Insight[]>(workspaceId, 'GET', '/api/insights/get-all')).body
  }

  begin(workspaceId: string, to: 'offered' | 'builtin' | 'words' = 'offered') {
    this.later(1)
    return this.call<{ switch_id: string; message: string }>(workspaceId, 'POST', '/api/embeddings/switches', { to })
  }

  /** Takes a switch from its start to the preview. */
  async prepared(workspaceId: string, to: 'offered' | 'builtin' | 'words' = 'offered'): Promise<string> {
    const { switch_id } = (await this.begin(workspaceId, to)).body
    while ((await this.advance(workspaceId)).more);
    return switch_id
  }

  async apply(workspaceId: string, id: string): Promise<void> {
    await this.call(workspaceId, 'POST', `/api/embeddings/switches/${id}/apply`)
    await this.advance(workspaceId)
  }

  outage(): Promise<Outage | null> {
    return embeddingProvider(this.services).readOutage()
  }

  endOutage(): Promise<void> {
    return embeddingProvider(this.services).endOutage()
  }

  /** The stored vectors of a workspace, by message and statement number. */
  async stored(workspaceId: string): Promise<{ id: string; space: string; bytes: number | null }[]> {
    const { rows } = await this.inside(workspaceId, (tx) =>
      sql<{ id: string; space: string; bytes: number | null }>`
        select item.external_id || ':' || v.number as id, v.space, length(v.vector) as bytes
        from statement_vector v join feedback_item item on item.workspace_id = v.workspace_id and item.id = v.item_id
        order by v.space, item.id, v.number`.execute(tx),
    )
    return rows
  }
}

const SUBJECTS = [
  ['CSV export', 'stops after the first thousand rows', 'of every report'],
  ['Password reset mail', 'never arrives in the inbox', 'of our colleagues'],
  ['Dark mode', 'makes the calendar text unreadable', 'on small phones'],
  ['Invoice PDF', 'shows the wrong tax number', 'for German customers'],
] as const

/** Messages about four subjects in turn, each worded differently; the same number gives the same message. */
export function messages(count: number, from = 0): Said[] {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index
    const [what, does, where] = SUBJECTS[n % SUBJECTS.length] as (typeof SUBJECTS)[number]
    return { id: `m${n}`, text: `${what} ${does} ${n % 3 === 0 ? where : ''} (${n})`, author: `person ${n % 11}` }
  })
}
