import type { TrackerVariants } from '../kit/sample.ts'
import { type GivenContext, stopping } from '../kit/testing.ts'
import { subscribed as subscribedTo } from '../kit/worlds/events.ts'
import { NOWHERE, trackerWorld } from '../kit/worlds/tracker.ts'
import { type Item, isClosed } from '../sandbox/azure/account.ts'
import { type AzureOptions, type AzureSandbox, startAzure } from '../sandbox/azure/azure.ts'
import { organisationOf, remoteIdOf } from './place.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { tracker as workItems } from './tracker.ts'

export const SECRET = 'a password of ours'

/** A sandbox that stops automatically at the end of a test. */
export const openAzure = async (options: AzureOptions = {}) => stopping(await startAzure(options))

/** Pauses in memory, as the server keeps them for a connection. */
function pausesIn(now: () => Date) {
  let until = 0
  const left = () => Math.max(0, Math.ceil((until - now().getTime()) / 1000))
  return {
    left: async () => left(),
    set: async (_: string, seconds: number) => {
      until = Math.max(until, now().getTime() + seconds * 1000)
    },
  }
}

const world = trackerWorld(workItems, {
  settings: settingsFor,
  secrets: ({ signIns }: AzureSandbox) => ({ pat: signIns.pat }),
  // Where a server is connected, its address is the only one that is used.
  baseUrl: ({ url, collectionUrl }: AzureSandbox) => (collectionUrl === null ? url : NOWHERE),
})

/** A context that is connected by token, with the first project and the type without required fields. */
export function contextFor(sandbox: AzureSandbox, given: GivenContext = {}) {
  const context = world.contextFor(sandbox, given)
  return { pauses: pausesIn(context.now), ...context }
}

function settingsFor({ account, collectionUrl, version }: AzureSandbox): Record<string, unknown> {
  const { organisation } = account
  const chosen = { project: [account.project(0).id], type: ['Issue'] }
  if (collectionUrl !== null) return { name: organisation, server: collectionUrl, api_version: version, ...chosen }
  return {
    name: organisation,
    organization: organisation,
    organizations: [organisation],
    ...chosen,
  }
}

const numberOf = (remoteId: string) => Number(remoteId.split('/').at(-1))

function idOf(sandbox: AzureSandbox, { id }: Item): string {
  const context = { settings: settingsFor(sandbox) }
  return remoteIdOf(context, organisationOf(context), id)
}

const sampleOf = (options: AzureOptions = {}) =>
  world.sample(
    () => startAzure(options),
    (sandbox) => ({
      items: () =>
        sandbox.account.items
          .filter(({ deleted, visible }) => visible && !deleted)
          .map((item) => ({
            id: idOf(sandbox, item),
            open: !isClosed(item),
            text: [...Object.values(item.fields).map(String), ...item.relations.map(({ url }) => url)].join('\n'),
            comments: item.comments.map(({ text }) => text),
          })),
      lagSearch: (on) => sandbox.account.lag(on),
      retitle: (id, title) => {
        const item = sandbox.account.items.find((one) => one.id === numberOf(id))
        if (item) item.fields['System.Title'] = title
      },
      close: (id) => sandbox.setState(numberOf(id), 'Done'),
      decline: (id) => sandbox.setState(numberOf(id), 'Removed'),
      reopen: (id) => sandbox.setState(numberOf(id), 'Doing'),
      delete: (id) => sandbox.remove(numberOf(id)),
      move: (id) => sandbox.hide(numberOf(id)),
    }),
  )

export const tracker = sampleOf()

/** Servers of one's own, for the conformance suite. */
export const variants: TrackerVariants = {
  'Azure DevOps Server 2020': sampleOf({ server: { collection: 'Default Collection', version: '6.0' } }),
  'Azure DevOps Server 2022': sampleOf({ server: { collection: 'DefaultCollection', version: '7.0' } }),
}

/** A sandbox with a context, and an insight to push to it. */
export async function opened(settings: Record<string, unknown> = {}, options: AzureOptions = {}) {
  const azure = await openAzure(options)
  return { ...world.insightIn(azure, contextFor(azure, { settings })), requests: () => requestsOf(azure) }
}

/** A sandbox with subscribed events, which are received as the core does. */
export const subscribed = async (options: AzureOptions = {}) =>
  subscribedTo(await opened({}, options), { subscriptions, secret: SECRET, receive })

/** The API's requests as method and last part of the path's template. */
export const requestsOf = ({ calls }: Pick<AzureSandbox, 'calls'>) =>
  calls.map(({ method, template }) => `${method} ${template?.split('/_apis/').at(-1) ?? 'none'}`)
