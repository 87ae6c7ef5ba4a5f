import type { Context } from '../connector.ts'
import { isDeclined } from '../kit/declined.ts'
import { ItemGone } from '../kit/errors.ts'
import type { RemoteItem, RemoteStatus } from '../tracker.ts'
import { call } from './client.ts'
import { BulkIssues, type Issue, type IssueFields, type Status } from './schema.ts'
import { browseUrl, issueOf, type JiraSite, remoteIdOf } from './site.ts'

/** Jira's key of the category of statuses in which work is over, whatever they are called. */
export const isDone = ({ statusCategory }: Status) => statusCategory?.key === 'done'

/** The fields from which a status is derived. */
export const STATUS_FIELDS = ['status', 'resolution']
/** The fields that are read of an item: its title and those of its status. */
export const ITEM_FIELDS = ['summary', ...STATUS_FIELDS]

/** Won't Fix, Duplicate, Incomplete and Cannot Reproduce of a site that was made with Jira's own resolutions, in whatever language. */
const DECLINED_IDS = new Set(['2', '3', '4', '5'])

/**
 * The category of the status determines whether an issue is closed, and its resolution why. Where a project has no resolutions, or sets the same for all
 * closed issues, the name of the status does.
 */
function statusOf({ status, resolution }: IssueFields): Omit<RemoteStatus, 'id'> {
  if (!isDone(status)) return { state: 'open', name: status.name }
  if (resolution && (DECLINED_IDS.has(resolution.id ?? '') || isDeclined(resolution.name))) {
    return { state: 'closed', name: resolution.name, declined: true }
  }
  return { state: 'closed', name: status.name, ...(isDeclined(status.name) ? { declined: true } : {}) }
}

/** An issue as the item that an insight is stored with. Without a `title` where the summary was not requested. */
export function remoteOf(site: JiraSite, { id, key, fields }: Issue, data: RemoteItem['data']): RemoteItem {
  const { state, name, ...declined } = statusOf(fields)
  return {
    id: remoteIdOf(site, id),
    url: browseUrl(site, key),
    label: key,
    ...(fields.summary ? { title: fields.summary } : {}),
    status: state,
    statusName: name,
    ...declined,
    data,
  }
}

/**
 * The states of remote items, one request for each site. Jira returns neither issues that are gone nor those that the sign-in cannot
 * see; what it could not read for another reason stays as it was.
 */
export async function readStatuses(context: Context, ids: readonly string[]): Promise<RemoteStatus[]> {
  const statuses: RemoteStatus[] = []
  const bySite = new Map<string | null, { site: JiraSite; issues: string[] }>()
  for (const id of ids) {
    const ref = refOf(context, id)
    if (ref === null) {
      statuses.push({ id, state: 'gone', name: null })
      continue
    }
    const group = bySite.get(ref.site.id) ?? { site: ref.site, issues: [] }
    group.issues.push(ref.issue)
    bySite.set(ref.site.id, group)
  }
  for (const { site, issues } of bySite.values()) statuses.push(...(await readSite(context, site, issues)))
  return statuses
}

function refOf(context: Context, id: string) {
  try {
    return issueOf(context, id)
  } catch (error) {
    if (error instanceof ItemGone) return null
    throw error
  }
}

async function readSite(context: Context, site: JiraSite, ids: readonly string[]): Promise<RemoteStatus[]> {
  const { issues, issueErrors } = await call(context, site, {
    name: 'issue/bulkfetch',
    method: 'POST',
    path: '/issue/bulkfetch',
    json: { issueIdsOrKeys: ids, fields: STATUS_FIELDS },
    schema: BulkIssues,
  })
  const found = new Map(issues.map(({ id, fields }) => [id, fields]))
  const failed = new Set((issueErrors ?? []).map(({ id }) => String(id)))
  return ids.flatMap((issue): RemoteStatus[] => {
    const id = remoteIdOf(site, issue)
    const fields = found.get(issue)
    if (fields) return [{ id, ...statusOf(fields) }]
    return failed.has(issue) ? [] : [{ id, state: 'gone', name: null }]
  })
}
