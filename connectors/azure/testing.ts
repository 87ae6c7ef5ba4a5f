import type { TrackerSample, TrackerVariants } from '../kit/sample.ts'
import { type GivenContext, insightFor, startEventReceiver, stopping, testContext } from '../kit/testing.ts'
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

/** A context that is connected by token, with the first project and the type without required fields. */
export function contextFor(sandbox: AzureSandbox, given: GivenContext = {}) {
  const context = testContext({
    baseUrl: baseUrlFor(sandbox),
    secrets: { pat: sandbox.signIns.pat },
    ...given,
    settings: { ...settingsFor(sandbox), ...given.settings },
  })
  return { pauses: pausesIn(context.now), ...context }
}

/** Nothing answers where a server is connected: its address is the only one that is used. */
const NOWHERE = 'http://127.0.0.1:9'
const baseUrlFor = ({ url, collectionUrl }: AzureSandbox) => (collectionUrl === null ? url : NOWHERE)

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

const sampleOf =
  (options: AzureOptions = {}): TrackerSample =>
  async () => {
    const sandbox = await startAzure(options)
    const { account, signIns, faults } = sandbox
    return {
      baseUrl: baseUrlFor(sandbox),
      settings: settingsFor(sandbox),
      secrets: { pat: signIns.pat },
      items: () =>
        account.items
          .filter(({ deleted, visible }) => visible && !deleted)
          .map((item) => ({
            id: idOf(sandbox, item),
            open: !isClosed(item),
            text: [...Object.values(item.fields).map(String), ...item.relations.map(({ url }) => url)].join('\n'),
            comments: item.comments.map(({ text }) => text),
          })),
      requests: () => sandbox.calls,
      fault: (kind) => (kind === 'revoked' ? signIns.end() : faults.arm(kind)),
      lagSearch: (on) => account.lag(on),
      retitle: (id, title) => {
        const item = account.items.find((one) => one.id === numberOf(id))
        if (item) item.fields['System.Title'] = title
      },
      close: (id) => sandbox.setState(numberOf(id), 'Done'),
      decline: (id) => sandbox.setState(numberOf(id), 'Removed'),
      reopen: (id) => sandbox.setState(numberOf(id), 'Doing'),
      delete: (id) => sandbox.remove(numberOf(id)),
      move: (id) => sandbox.hide(numberOf(id)),
      [Symbol.asyncDispose]: () => sandbox.stop(),
    }
  }

export const tracker = sampleOf()

/** Servers of one's own, for the conformance suite. */
export const variants: TrackerVariants = {
  'Azure DevOps Server 2020': sampleOf({ server: { collection: 'Default Collection', version: '6.0' } }),
  'Azure DevOps Server 2022': sampleOf({ server: { collection: 'DefaultCollection', version: '7.0' } }),
}

/** A sandbox with a context, and an insight to push to it. */
export async function opened(settings: Record<string, unknown> = {}, options: AzureOptions = {}) {
  const azure = await openAzure(options)
  const context = contextFor(azure, { settings })
  return { ...azure, context, ...insightFor(workItems, context), requests: () => requestsOf(azure) }
}

/** A sandbox with subscribed events, which are received as the core does. */
export async function subscribed(options: AzureOptions = {}) {
  const run = await opened({}, options)
  const receiver = await startEventReceiver((request) => receive({ hook_password: SECRET }, request))
  const ensure = (previous: Record<string, unknown> | null = null) =>
    subscriptions.ensure(run.context, { url: receiver.url, secret: SECRET, previous })
  const { state, secrets } = await ensure()
  return {
    ...run,
    url: receiver.url,
    received: receiver.received,
    refused: receiver.refused,
    state,
    secrets,
    ensure,
    async [Symbol.asyncDispose]() {
      await run.stop()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

/** The API's requests as method and last part of the path's template. */
export const requestsOf = ({ calls }: Pick<AzureSandbox, 'calls'>) =>
  calls.map(({ method, template }) => `${method} ${template?.split('/_apis/').at(-1) ?? 'none'}`)
