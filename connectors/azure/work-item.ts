import { safeLink } from '@groundswell/contract/values/web-address.ts'
import type { Context } from '../connector.ts'
import { documentHtml } from '../kit/documents/document-html.ts'
import { followedTitle } from '../kit/documents/followed-title.ts'
import { documentTitle, type InsightDocument } from '../kit/documents/insight-document.ts'
import { Rejected } from '../kit/errors.ts'
import type { TrackerRequest } from '../tracker.ts'
import { call, type PatchOperation } from './client.ts'
import { chosenIn, organisationPath, type Place, projectPath } from './place.ts'
import { requiredValues } from './required-fields.ts'
import { Batch, Found, Validated, WorkItem } from './schema.ts'
import { DESCRIPTION, textFieldsOf } from './text-fields.ts'

/** The tag that an item is found by. */
export const tagOf = (marker: string) => `gs-${marker.replace(/[^\w-]/g, '').slice(0, 64)}`

const field = (name: string, value: unknown): PatchOperation => ({ op: 'add', path: `/fields/${name}`, value })

/** What a new item gets, without the tag. */
async function operationsFor(context: Context, place: Place, document: InsightDocument): Promise<PatchOperation[]> {
  const text = documentHtml(document)
  const [area] = chosenIn(context, 'area')
  const [person] = chosenIn(context, 'assigned_to')
  const link = safeLink(document.link)
  return [
    field('System.Title', documentTitle(document)),
    ...(await textFieldsOf(context, place, chosenType(context))).map((name) => field(name, text)),
    ...(area === undefined ? [] : [field('System.AreaPath', area)]),
    ...(person === undefined ? [] : [field('System.AssignedTo', person)]),
    ...requiredValues(context),
    ...(link === null ? [] : [hyperlink(link)]),
  ]
}

const hyperlink = (url: string): PatchOperation => ({
  op: 'add',
  path: '/relations/-',
  value: { rel: 'Hyperlink', url, attributes: { comment: 'Insight in Groundswell' } },
})

function chosenType(context: Context): string {
  const [type] = chosenIn(context, 'type')
  if (type === undefined || type === '') throw new Rejected('No work item type is chosen for Azure DevOps: choose one')
  return type
}

const creation = (context: Context, place: Place) => ({
  name: 'workitems.create',
  method: 'POST' as const,
  path: `${projectPath(place)}/wit/workitems/$${encodeURIComponent(chosenType(context))}`,
})

/** Creates an item with everything in one request, after the fields of its type were read. */
export async function createItem(context: Context, place: Place, document: InsightDocument): Promise<WorkItem> {
  const patch = [...(await operationsFor(context, place, document)), field('System.Tags', tagOf(document.marker))]
  return call(context, { ...creation(context, place), patch, schema: WorkItem })
}

/**
 * Lets Azure check everything that creating would check, without creating anything. Returns the project's name, if Azure says it.
 * Without the tag: a tag outlives the check.
 */
export async function validateItem(
  context: Context,
  place: Place,
  document: InsightDocument,
): Promise<string | undefined> {
  const { fields } = await call(context, {
    ...creation(context, place),
    query: { validateOnly: true },
    patch: await operationsFor(context, place, document),
    schema: Validated,
  })
  return fields['System.TeamProject']
}

/**
 * The id of the oldest item with this tag; null when there is none. It searches every project: another one may have been chosen, or the
 * item moved, since it was created.
 */
export async function findItem(context: Context, organisation: string, marker: string): Promise<number | null> {
  const { workItems } = await call(context, {
    name: 'wiql',
    method: 'POST',
    path: `${organisationPath(organisation)}/wit/wiql`,
    query: { $top: 1 },
    json: { query: wiql(`[System.Tags] CONTAINS '${tagOf(marker)}'`) },
    schema: Found,
  })
  return workItems[0]?.id ?? null
}

/** A query in the language of work items, which only looks like SQL. */
const wiql = (where: string) =>
  ['SELECT [System.Id]', 'FROM WorkItems', `WHERE ${where}`, 'ORDER BY [System.Id]'].join(' ')

/** The fields from which the state of an item is derived, and its title. */
const STATUS_FIELDS = ['System.Title', 'System.State', 'System.TeamProject', 'System.WorkItemType', 'System.Reason']

/** The items of these ids that exist and can be seen, at most 200. */
export async function readItems(context: Context, organisation: string, ids: readonly number[]): Promise<WorkItem[]> {
  const { value } = await call(context, {
    name: 'workitemsbatch',
    method: 'POST',
    path: `${organisationPath(organisation)}/wit/workitemsbatch`,
    json: { ids, fields: STATUS_FIELDS, errorPolicy: 'omit' },
    schema: Batch,
  })
  return value.filter((item) => item !== null)
}

/**
 * Replaces the text, and the title where it follows. The description comes first: its response says which type, and so which fields, the item has now, and
 * which title.
 */
export async function describeItem(
  context: Context,
  organisation: string,
  id: number,
  { document, titles }: Pick<TrackerRequest, 'document' | 'titles'>,
): Promise<WorkItem> {
  const text = documentHtml(document)
  const item = await changeItem(context, organisation, id, [field(DESCRIPTION, text)])
  const place = { organisation, project: item.fields['System.TeamProject'] }
  const names = await textFieldsOf(context, place, item.fields['System.WorkItemType'])
  const others = names.filter((name) => name !== DESCRIPTION).map((name) => field(name, text))
  const title = followedTitle(item.fields['System.Title'], { document, titles })
  const changes = [...(title === undefined ? [] : [field('System.Title', title)]), ...others]
  return changes.length === 0 ? item : changeItem(context, organisation, id, changes)
}

/** Changes the state of an item. */
export function setState(context: Context, organisation: string, id: number, state: string): Promise<WorkItem> {
  return changeItem(context, organisation, id, [field('System.State', state)])
}

function changeItem(
  context: Context,
  organisation: string,
  id: number,
  patch: readonly PatchOperation[],
): Promise<WorkItem> {
  return call(context, {
    name: 'workitems.update',
    method: 'PATCH',
    path: `${organisationPath(organisation)}/wit/workitems/${id}`,
    patch,
    schema: WorkItem,
  })
}
