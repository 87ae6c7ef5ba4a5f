import type { Context } from '../connector.ts'
import { ItemGone } from '../kit/errors.ts'
import type { InsightDocument } from '../kit/insight-document.ts'
import type { RemoteItem, RemoteStatus, Tracker } from '../tracker.ts'
import { requireTurn } from './client.ts'
import { writeComment } from './comment.ts'
import { apiUrl, chosenIn, type Place, placeOf, refOf, remoteIdOf, requireRef } from './place.ts'
import { isItemGone, isRuleRefusal } from './refusal.ts'
import type { WorkItem } from './schema.ts'
import { openState, statesOf, statusOf } from './states.ts'
import { createItem, describeItem, findItem, moveItem, readItems, validateItem } from './work-item.ts'

const GONE = 'The work item no longer exists in Azure DevOps, or the sign-in cannot see it'

/** Work items with a tag of our choice, by which a query finds them. */
export const tracker: Tracker = {
  // Queries may be answered by a replica that is behind.
  findLagSeconds: 60,

  async find(context, marker) {
    const place = placeOf(context)
    requireTurn(context, place.organisation)
    const id = await findItem(context, place, marker)
    const [item] = id === null ? [] : await readItems(context, place, [id])
    return item ? remoteOf(context, place, item, await statusOf(context, place, item), {}) : null
  },

  async create(context, { document }) {
    const place = placeOf(context)
    requireTurn(context, place.organisation)
    const item = await createItem(context, place, document)
    return remoteOf(context, place, item, { state: 'open', name: item.fields['System.State'] }, {})
  },

  async update(context, remote, { document, reopen }) {
    const { place, id } = requireRef(context, remote.id)
    requireTurn(context, place.organisation)
    try {
      const item = await describeOrRead(context, place, id, document)
      const status = await statusOf(context, place, item)
      if (status.state === 'open') return remoteOf(context, place, item, status, remote.data)
      const reopened = reopen ? await reopenItem(context, place, item) : null
      if (reopened) return remoteOf(context, place, reopened, await statusOf(context, place, reopened), remote.data)
      const known = typeof remote.data['comment'] === 'number' ? remote.data['comment'] : null
      const comment = await writeComment(context, place, id, document, known)
      return remoteOf(context, place, item, status, { comment })
    } catch (error) {
      throw isItemGone(error) ? new ItemGone(GONE, { cause: error, ledger: error.ledger }) : error
    }
  },

  async readStatus(context, remotes) {
    const places = new Map<string, { place: Place; ids: number[] }>()
    const statuses: RemoteStatus[] = []
    for (const { id: remoteId } of remotes) {
      const ref = refOf(context, remoteId)
      if (ref === null) {
        statuses.push({ id: remoteId, state: 'gone', name: null })
        continue
      }
      const key = remoteIdOf(ref.place, 0)
      const group = places.get(key) ?? { place: ref.place, ids: [] }
      group.ids.push(ref.id)
      places.set(key, group)
    }
    for (const { place, ids } of places.values()) {
      requireTurn(context, place.organisation)
      statuses.push(...(await readPlace(context, place, ids)))
    }
    return statuses
  },

  async verify(context) {
    const place = placeOf(context)
    requireTurn(context, place.organisation)
    const name = await validateItem(context, place, sampleFor(context))
    return `Work items of type ${chosenIn(context, 'type')[0]} may be created in ${name}`
  },
}

async function readPlace(context: Context, place: Place, ids: readonly number[]): Promise<RemoteStatus[]> {
  const found = new Map((await readItems(context, place, ids)).map((item) => [item.id, item]))
  const statuses: RemoteStatus[] = []
  for (const number of ids) {
    const item = found.get(number)
    const id = remoteIdOf(place, number)
    statuses.push(item ? { id, ...(await statusOf(context, place, item)) } : { id, state: 'gone', name: null })
  }
  return statuses
}

/** Replaces the description. Rules of the process may make a closed item read-only: it is then only read, for the comment. */
async function describeOrRead(
  context: Context,
  place: Place,
  id: number,
  document: InsightDocument,
): Promise<WorkItem> {
  try {
    return await describeItem(context, place, id, document)
  } catch (error) {
    if (!isRuleRefusal(error)) throw error
    const [item] = await readItems(context, place, [id])
    if (!item) throw new ItemGone(GONE, { cause: error })
    if ((await statusOf(context, place, item)).state === 'open') throw error
    return item
  }
}

/** Null where the type has no open state, or a rule of the process does not allow the change. */
async function reopenItem(context: Context, place: Place, { id, fields }: WorkItem): Promise<WorkItem | null> {
  const states = await statesOf(context, place, fields['System.WorkItemType'], fields['System.State'])
  const state = openState(states)
  if (state === undefined) return null
  try {
    return await moveItem(context, place, id, state)
  } catch (error) {
    if (!isRuleRefusal(error)) throw error
    context.log.warn({}, 'a rule of the process did not allow to reopen a work item')
    return null
  }
}

function remoteOf(
  context: Context,
  place: Place,
  { id, _links }: WorkItem,
  status: Omit<RemoteStatus, 'id'>,
  data: RemoteItem['data'],
): RemoteItem {
  const href = _links?.html?.href ?? ''
  return {
    id: remoteIdOf(place, id),
    url: /^https?:\/\//.test(href)
      ? href
      : `${apiUrl(context)}/${place.organisation}/${place.project}/_workitems/edit/${id}`,
    label: `#${id}`,
    status: status.state,
    statusName: status.name,
    data,
  }
}

const sampleFor = ({ now }: Context): InsightDocument => ({
  title: 'Groundswell checks whether work items can be created',
  summary: '',
  counts: { mentions: 0, people: 0 },
  tags: [],
  quotes: [],
  link: null,
  marker: 'check',
  updated: now(),
})
