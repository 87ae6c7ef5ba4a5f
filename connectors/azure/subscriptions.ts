import * as z from 'zod/mini'
import type { Context, Subscriptions } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { beginTask, call } from './client.ts'
import { organisationsOf, type Place, placeOf } from './place.ts'
import { Refusal } from './refusal.ts'
import { Hook, listOf } from './schema.ts'

/** The events that may close, reopen or delete an item, each with a filter of its publisher. */
const EVENTS: readonly { type: string; filter: Record<string, string> }[] = [
  { type: 'workitem.updated', filter: { changedFields: 'System.State' } },
  { type: 'workitem.deleted', filter: {} },
]
const WORKING = new Set(['enabled', 'onProbation'])
/** The user of the basic authentication: Azure DevOps signs nothing. */
export const HOOK_USER = 'groundswell'

const State = z.object({ organisation: z.string(), ids: z.array(z.string().check(z.regex(/^[0-9A-Za-z-]{1,64}$/))) })

/**
 * One service hook for each event and connection, with our secret as the password. They do not expire, but Azure disables one that fails
 * for long: it is created again. The address identifies ours, and changes together with the secret.
 */
export const subscriptions: Subscriptions = {
  async ensure(context, { url, secret, previous }) {
    const place = placeOf(context)
    await beginTask(context)
    return allowed(async () => {
      const ours = (await hooksOf(context, place.organisation)).filter(
        ({ consumerInputs }) => consumerInputs?.['url'] === url,
      )
      const ids: string[] = []
      for (const event of EVENTS) {
        const kept = ours.find((hook) => hook.eventType === event.type && isWhole(hook, place))
        ids.push(kept?.id ?? (await createHook(context, place, event, { url, secret })))
      }
      const old = State.safeParse(previous).data
      const others = ours.map(({ id }) => id).filter((id) => !ids.includes(id))
      for (const id of others) await removeHook(context, place.organisation, id)
      for (const id of old?.ids ?? []) {
        if (!ids.includes(id) && !others.includes(id)) await removeHook(context, old?.organisation ?? '', id)
      }
      return {
        state: { organisation: place.organisation, ids },
        expiresAt: null,
        secrets: { hook_password: secret },
      }
    })
  },
  async remove(context, state) {
    const { organisation, ids } = State.safeParse(state).data ?? { organisation: '', ids: [] }
    await beginTask(context)
    for (const id of ids) await removeHook(context, organisation, id)
  },
}

function isWhole({ status, publisherInputs }: Hook, { project }: Place): boolean {
  const about = publisherInputs?.['projectId']
  return WORKING.has(status ?? 'enabled') && typeof about === 'string' && about.toLowerCase() === project
}

const pathOf = (organisation: string) => `/${organisation}/_apis/hooks/subscriptions`

async function hooksOf(context: Context, organisation: string): Promise<Hook[]> {
  const { value } = await call(context, {
    name: 'hooks.list',
    path: pathOf(organisation),
    query: { publisherId: 'tfs', consumerId: 'webHooks', consumerActionId: 'httpRequest' },
    schema: listOf(Hook),
  })
  return value
}

async function createHook(
  context: Context,
  { organisation, project }: Place,
  { type, filter }: (typeof EVENTS)[number],
  { url, secret }: { url: string; secret: string },
): Promise<string> {
  const { id } = await call(context, {
    name: 'hooks.create',
    method: 'POST',
    path: pathOf(organisation),
    json: {
      publisherId: 'tfs',
      eventType: type,
      resourceVersion: '1.0',
      consumerId: 'webHooks',
      consumerActionId: 'httpRequest',
      publisherInputs: { projectId: project, ...filter },
      consumerInputs: {
        url,
        basicAuthUsername: HOOK_USER,
        basicAuthPassword: secret,
        messagesToSend: 'none',
        detailedMessagesToSend: 'none',
      },
    },
    schema: z.pick(Hook, { id: true }),
    hide: [secret],
  })
  return id
}

/** Nothing happens where the hook is gone already, or its organisation is no longer connected. */
async function removeHook(context: Context, organisation: string, id: string): Promise<void> {
  if (!organisationsOf(context).includes(organisation)) return
  try {
    await call(context, {
      name: 'hooks.delete',
      method: 'DELETE',
      path: `${pathOf(organisation)}/${id}`,
      schema: z.unknown(),
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error
  }
}

async function allowed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 403) throw error
    const words = 'Azure DevOps lets only those create service hooks who may edit subscriptions in the project'
    throw new Rejected(`${words}. Without them, changes arrive by polling`, { ledger: error.ledger })
  }
}
