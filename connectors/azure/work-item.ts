import type { Context } from '../connector.ts'
import { documentHtml } from '../kit/document-html.ts'
import { Rejected } from '../kit/errors.ts'
import { documentTitle, type InsightDocument } from '../kit/insight-document.ts'
import { call, type PatchOperation } from './client.ts'
import { chosenIn, type Place, projectPath } from './place.ts'
import { requiredValues } from './required-fields.ts'
import { Batch, Found, Validated, WorkItem } from './schema.ts'

/** The tag that an item is found by. */
export const tagOf = (marker: string) => `gs-${marker.replace(/[^\w-]/g, '').slice(0, 64)}`

const field = (name: string, value: unknown): PatchOperation => ({ op: 'add', path: `/fields/System.${name}`, value })

/** What a new item gets, without the tag. */
function operationsFor(context: Context, document: InsightDocument): PatchOperation[] {
  const [area] = chosenIn(context, 'area')
  const [person] = chosenIn(context, 'assigned_to')
  const link = document.link !== null && /^https?:\/\//.test(document.link) ? document.link : null
  return [
    field('Title', documentTitle(document)),
    field('Description', documentHtml(document)),
    ...(area === undefined ? [] : [field('AreaPath', area)]),
    ...(person === undefined ? [] : [field('AssignedTo', person)]),
    ...requiredValues(context),
    ...(link === null ? [] : [hyperlink(link)]),
  ]
}

const hyperlink = (url: string): PatchOperation => ({
  op: 'add',
  path: '/relations/-',
  value: { rel: 'Hyperlink', url, attributes: { comment: 'Insight in Groundswell' } },
})

function creation(context: Context, place: Place) {
  const [type] = chosenIn(context, 'type')
  if (type === undefined || type === '') throw new Rejected('No work item type is chosen for Azure DevOps: choose one')
  return {
    name: 'workitems.create',
    method: 'POST' as const,
    path: `${projectPath(place)}/wit/workitems/$${encodeURIComponent(type)}`,
  }
}

/** Creates an item with everything in one request. */
export function createItem(context: Context, place: Place, document: InsightDocument): Promise<WorkItem> {
  const patch = [...operationsFor(context, document), field('Tags', tagOf(document.marker))]
  return call(context, { ...creation(context, place), patch, schema: WorkItem })
}

/**
 * Lets Azure check everything that creating would check, without creating anything. Returns the project's name. Without the tag: a tag
 * outlives the check.
 */
export async function validateItem(context: Context, place: Place, document: InsightDocument): Promise<string> {
  const { fields } = await call(context, {
    ...creation(context, place),
    query: { validateOnly: true },
    patch: operationsFor(context, document),
    schema: Validated,
  })
  return fields['System.TeamProject']
}

/** The id of the oldest item of the project with this tag; null when there is none. */
export async function findItem(context: Context, place: Place, marker: string): Promise<number | null> {
  const where = `[System.TeamProject] = @project AND [System.Tags] CONTAINS '${tagOf(marker)}'`
  const { workItems } = await call(context, {
    name: 'wiql',
    method: 'POST',
    path: `${projectPath(place)}/wit/wiql`,
    query: { $top: 1 },
    json: { query: wiql(where) },
    schema: Found,
  })
  return workItems[0]?.id ?? null
}

/** A query in the language of work items, which only looks like SQL. */
const wiql = (where: string) =>
  ['SELECT [System.Id]', 'FROM WorkItems', `WHERE ${where}`, 'ORDER BY [System.Id]'].join(' ')

/** The items of these ids that exist and can be seen, at most 200. */
export async function readItems(context: Context, place: Place, ids: readonly number[]): Promise<WorkItem[]> {
  const { value } = await call(context, {
    name: 'workitemsbatch',
    method: 'POST',
    path: `${projectPath(place)}/wit/workitemsbatch`,
    json: { ids, fields: ['System.State', 'System.WorkItemType'], errorPolicy: 'omit' },
    schema: Batch,
  })
  return value.filter((item) => item !== null)
}

/** Replaces the description. */
export function describeItem(context: Context, place: Place, id: number, document: InsightDocument): Promise<WorkItem> {
  return changeItem(context, place, id, field('Description', documentHtml(document)))
}

/** Moves an item to a state. */
export function moveItem(context: Context, place: Place, id: number, state: string): Promise<WorkItem> {
  return changeItem(context, place, id, field('State', state))
}

function changeItem(context: Context, place: Place, id: number, operation: PatchOperation): Promise<WorkItem> {
  return call(context, {
    name: 'workitems.update',
    method: 'PATCH',
    path: `${projectPath(place)}/wit/workitems/${id}`,
    patch: [operation],
    schema: WorkItem,
  })
}
