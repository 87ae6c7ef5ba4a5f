import type { Context } from '../connector.ts'
import { commentOrNotice } from '../kit/comment-or-notice.ts'
import type { InsightDocument } from '../kit/documents/insight-document.ts'
import { ItemGone } from '../kit/errors.ts'
import type { RemoteItem, RemoteStatus, Tracker, TrackerRequest } from '../tracker.ts'
import { beginTask } from './client.ts'
import { writeComment } from './comment.ts'
import { dryRun } from './dry-run.ts'
import { projectIdOf } from './lists.ts'
import { apiUrl, chosenIn, organisationOf, placeOf, projectIn, refOf, remoteIdOf, requireRef } from './place.ts'
import { isItemGone, isOutOfReach, isRuleRefusal } from './refusal.ts'
import type { WorkItem } from './schema.ts'
import { openState, statesOf, statusOf } from './states.ts'
import { createItem, describeItem, findItem, readItems, setState, validateItem } from './work-item.ts'

const GONE = 'The work item no longer exists in Azure DevOps, or the sign-in cannot see it'

/** Work items with a tag of our choice, by which a query finds them. */
export const tracker: Tracker = {
  dryRun,
  // Queries may be answered by a replica that is behind.
  findLagSeconds: 60,

  async find(context, marker) {
    const organisation = organisationOf(context)
    await beginTask(context)
    const id = await findItem(context, organisation, marker)
    const [item] = id === null ? [] : await readItems(context, organisation, [id])
    if (!item) return null
    const project = await projectIdOf(context, { organisation, project: item.fields['System.TeamProject'] })
    return remoteOf(context, organisation, item, await statusOf(context, organisation, item), { project })
  },

  async create(context, { document }) {
    const place = placeOf(context)
    await beginTask(context)
    const item = await createItem(context, place, document)
    const status = { state: 'open' as const, name: item.fields['System.State'] }
    return remoteOf(context, place.organisation, item, status, { project: place.project })
  },

  async update(context, remote, { document, reopen, titles }) {
    const { organisation, id } = requireRef(context, remote.id)
    await beginTask(context)
    try {
      const item = await describeOrRead(context, organisation, id, { document, titles })
      const status = await statusOf(context, organisation, item)
      if (status.state === 'open') return remoteOf(context, organisation, item, status, remote.data)
      const reopened = reopen ? await reopenItem(context, organisation, item) : null
      if (reopened) {
        return remoteOf(context, organisation, reopened, await statusOf(context, organisation, reopened), remote.data)
      }
      const known = typeof remote.data['comment'] === 'number' ? remote.data['comment'] : null
      const write = () => writeComment(context, organisation, item, document, known)
      const { comment, notice } = await commentOrNotice(known, write, isItemGone)
      return { ...remoteOf(context, organisation, item, status, { ...remote.data, comment }), notice }
    } catch (error) {
      if (!isItemGone(error)) throw error
      const project = projectIn(remote.data)
      // Without its project, nothing is known about the item: this throws.
      if (project !== null) await projectIdOf(context, { organisation, project })
      throw new ItemGone(GONE, { cause: error, ledger: error.ledger })
    }
  },

  async readStatus(context, remotes) {
    await beginTask(context)
    const statuses: RemoteStatus[] = []
    const byOrganisation = new Map<string, Wanted[]>()
    for (const { id: remoteId, data } of remotes) {
      const ref = refOf(context, remoteId)
      if (ref === null) statuses.push({ id: remoteId, state: 'gone', name: null })
      else {
        const wanted = byOrganisation.get(ref.organisation) ?? []
        wanted.push({ remoteId, id: ref.id, project: projectIn(data) })
        byOrganisation.set(ref.organisation, wanted)
      }
    }
    for (const [organisation, wanted] of byOrganisation) {
      statuses.push(...(await readOrganisation(context, organisation, wanted)))
    }
    return statuses
  },

  async verify(context) {
    const place = placeOf(context)
    await beginTask(context)
    const name = await validateItem(context, place, sampleFor(context))
    return `Work items of type ${chosenIn(context, 'type')[0]} may be created in ${name ?? 'the project'}`
  },
}

type Wanted = { remoteId: string; id: number; project: string | null }

/**
 * The states of items, wherever in the organisation they are now. An item that cannot be read is gone, unless the project it was created
 * in cannot be read either: then it is left out, because the right to see the project may come back.
 */
async function readOrganisation(
  context: Context,
  organisation: string,
  wanted: readonly Wanted[],
): Promise<RemoteStatus[]> {
  const ids = wanted.map(({ id }) => id)
  const found = new Map((await readItems(context, organisation, ids)).map((item) => [item.id, item]))
  const reachable = new Map<string, boolean>()
  const statuses: RemoteStatus[] = []
  for (const { remoteId, id, project } of wanted) {
    const item = found.get(id)
    if (item) statuses.push({ id: remoteId, ...(await statusOf(context, organisation, item)) })
    else {
      const known = project === null || (reachable.get(project) ?? (await isReachable(context, organisation, project)))
      if (project !== null) reachable.set(project, known)
      if (known) statuses.push({ id: remoteId, state: 'gone', name: null })
    }
  }
  return statuses
}

async function isReachable(context: Context, organisation: string, project: string): Promise<boolean> {
  try {
    await projectIdOf(context, { organisation, project })
    return true
  } catch (error) {
    if (!isOutOfReach(error)) throw error
    context.log.warn({}, 'the project of a work item cannot be read: the state of its items stays as it was')
    return false
  }
}

/** Replaces the description, and the title where it follows. Rules of the process may make a closed item read-only: it is then only read, for the comment. */
async function describeOrRead(
  context: Context,
  organisation: string,
  id: number,
  request: Pick<TrackerRequest, 'document' | 'titles'>,
): Promise<WorkItem> {
  try {
    return await describeItem(context, organisation, id, request)
  } catch (error) {
    if (!isRuleRefusal(error)) throw error
    const [item] = await readItems(context, organisation, [id])
    if (!item) throw new ItemGone(GONE, { cause: error })
    if ((await statusOf(context, organisation, item)).state === 'open') throw error
    return item
  }
}

/** Null where the type has no open state, or a rule of the process does not allow the change. */
async function reopenItem(context: Context, organisation: string, item: WorkItem): Promise<WorkItem | null> {
  const state = openState(await statesOf(context, organisation, item))
  if (state === undefined) return null
  try {
    return await setState(context, organisation, item.id, state)
  } catch (error) {
    if (!isRuleRefusal(error)) throw error
    context.log.warn({}, 'a rule of the process did not allow reopening a work item')
    return null
  }
}

function remoteOf(
  context: Context,
  organisation: string,
  { id, fields, _links }: WorkItem,
  { state, name, ...declined }: Omit<RemoteStatus, 'id'>,
  data: RemoteItem['data'],
): RemoteItem {
  const href = _links?.html?.href ?? ''
  const project = encodeURIComponent(fields['System.TeamProject'])
  return {
    id: remoteIdOf(context, organisation, id),
    url: /^https?:\/\//.test(href) ? href : `${apiUrl(context)}/${organisation}/${project}/_workitems/edit/${id}`,
    label: `#${id}`,
    title: fields['System.Title'],
    status: state,
    statusName: name,
    ...declined,
    data,
  }
}

const sampleFor = ({ now }: Context): InsightDocument => ({
  title: 'Groundswell checks whether work items can be created',
  summary: '',
  counts: { mentions: 0, people: 0 },
  tags: [],
  quotes: [],
  companies: [],
  link: null,
  marker: 'check',
  updated: now(),
})
