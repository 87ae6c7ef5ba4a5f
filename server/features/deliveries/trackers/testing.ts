import { templateTracker } from '@groundswell/connectors/_template-tracker/index.ts'
import type { Connector, Context } from '@groundswell/connectors/connector.ts'
import { startTracker } from '@groundswell/connectors/sandbox/tracker/tracker.ts'
import type { RemoteItem, RemoteStatus, Tracker } from '@groundswell/connectors/tracker.ts'
import { sql } from 'kysely'
import type { World } from '../testing.ts'

/** A running stand-in of a tracker. */
export type StandIn = Awaited<ReturnType<typeof startTracker>>

/** Pauses the trackers below after a call has its answer and before it returns: a worker that never continues is as good as killed. */
class AnswerGate {
  #caught: { name: keyof Tracker; reached: () => void } | null = null

  /** Settles once a call of this name has its answer; that call never returns. */
  catchNext(name: keyof Tracker): Promise<void> {
    return new Promise((reached) => {
      this.#caught = { name, reached }
    })
  }

  /** What a call to create returns in place of the stand-in's values. */
  created: Partial<RemoteItem> = {}

  /** What a call to create still does once the item exists. */
  afterCreation: (context: Context) => Promise<void> = async () => {}

  async pass<T>(name: keyof Tracker, answer: T): Promise<T> {
    if (this.#caught?.name !== name) return answer
    this.#caught.reached()
    this.#caught = null
    return new Promise<T>(() => undefined)
  }
}

const gate = new AnswerGate()

const { tracker: template } = templateTracker
if (!template) throw new Error('the template is no tracker')

const held: Tracker = {
  ...template,
  find: async (...given) => gate.pass('find', await template.find(...given)),
  create: async (...given) => {
    const created = await template.create(...given)
    await gate.afterCreation(given[0])
    return gate.pass('create', { ...created, ...gate.created })
  },
  update: async (...given) => gate.pass('update', await template.update(...given)),
  readStatus: async (...given) => gate.pass('readStatus', await template.readStatus(...given)),
}

/** What a tracker says about the items that it creates, in place of the stand-in's values. */
export function answerCreated(created: Partial<RemoteItem>): void {
  gate.created = created
}

/** For the next creation: what its call does once the item exists. */
export function afterCreation(work: (context: Context) => Promise<void>): void {
  gate.afterCreation = async (context) => {
    gate.afterCreation = async () => {}
    await work(context)
  }
}

const HOUR_MS = 3_600_000

/**
 * Two trackers for tests: the template under ids that its tile calls accept. Their events name an item and its state. Their sign-in is
 * renewed where a test says that it ends (`endingSignIn`).
 */
const testTrackers: readonly Connector[] = ['tracker', 'second-tracker'].map((id) => ({
  ...templateTracker,
  manifest: { ...templateTracker.manifest, id, label: 'Test tracker' },
  tracker: held,
  refresh: async (context) => {
    const { body } = await context.http.request({ method: 'POST', url: `${context.baseUrl ?? ''}/token` })
    const { token } = JSON.parse(body) as { token: string }
    return { secrets: { token }, expiresAt: new Date(context.now().getTime() + HOUR_MS) }
  },
  handleEvent: async (_context, payload) => ({
    items: [],
    deleted: [],
    statuses: payload['statuses'] as RemoteStatus[],
    ended: null,
  }),
}))

/** The list of connectors with the trackers above. For `vi.mock` of that list: a test adds to it, and replaces nothing. */
export function withTestTrackers<
  L extends { connectors: readonly Connector[]; connectorById: (id: string) => Connector | undefined },
>(list: L): L {
  const byId = (id: string) => testTrackers.find(({ manifest }) => manifest.id === id)
  return {
    ...list,
    connectors: [...list.connectors, ...testTrackers],
    connectorById: (id: string) => byId(id) ?? list.connectorById(id),
  }
}

/** The tracker of the current test. */
export let tracker: StandIn

/** For `eachInWorkspace`: connects each workspace to a tracker, then prepares it. */
export function withTracker(prepare: () => Promise<void> = async () => {}) {
  return async (world: World, workspaceId: string): Promise<() => PromiseLike<void>> => {
    tracker = await connectTracker(world, workspaceId)
    await prepare()
    return () => tracker[Symbol.asyncDispose]()
  }
}

/** Starts a stand-in and connects it by its form. */
export async function connectTracker(world: World, workspaceId: string, id = 'tracker'): Promise<StandIn> {
  const standIn = await startTracker()
  await reconnect(world, workspaceId, standIn, id)
  return standIn
}

/** Connects a workspace to this stand-in by its form. Throws if the form is refused. */
export async function reconnect(world: World, workspaceId: string, standIn: StandIn, id = 'tracker'): Promise<void> {
  world.services.config.baseUrls = { ...world.services.config.baseUrls, [id]: standIn.baseUrl }
  const { status, body } = await world.call(workspaceId, 'POST', `/api/${id}/add`, standIn.secrets)
  if (status !== 200) throw new Error(`not connected: ${JSON.stringify(body)}`)
}

/** Makes a tracker's token one that ends an hour from now, and can be renewed. */
export async function endingSignIn(world: World, workspaceId: string, id = 'tracker'): Promise<void> {
  const at = new Date(world.now.getTime() + HOUR_MS)
  await world.inside(workspaceId, (tx) =>
    sql`update connection set expires_at = ${at}, renew_at = ${at} where connector = ${id}`.execute(tx),
  )
}

/** One attempt at the newest delivery by a worker that is killed after this call of the tracker has its answer. */
export async function killAfter(world: World, workspaceId: string, name: keyof Tracker): Promise<void> {
  const reached = gate.catchNext(name)
  const last = (await world.deliveries(workspaceId)).at(-1)
  const data = { workspaceId, deliveryId: String(last?.id), attempts: Number(last?.attempts) }
  const { deliver } = await import('../send.ts')
  void deliver(world.services, data, new AbortController().signal)
  await reached
}
