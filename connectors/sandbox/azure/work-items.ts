import { type Account, type Item, type ItemType, isClosed, type Project } from './account.ts'
import type { Hooks } from './hooks.ts'
import { AzureError, noItem, ruleError } from './refuse.ts'

type Operation = { op: string; path: string; value: unknown }
type World = { account: Account; hooks: Hooks; url: string }

const MAX_TITLE = 255
const FIELD = /^\/fields\/([A-Za-z][\w.]*)$/

/** A work item as the API returns it. */
export function viewItem({ account, url }: World, item: Item, withLinks: boolean) {
  const own = `${url}/${encodeURIComponent(account.organisation)}/${item.project.id}`
  return {
    id: item.id,
    rev: item.rev,
    fields: { ...item.fields },
    ...(withLinks
      ? { relations: item.relations, _links: { html: { href: `${own}/_workitems/edit/${item.id}` } } }
      : {}),
    url: `${own}/_apis/wit/workItems/${item.id}`,
  }
}

/** Creates an item by a JSON Patch document, or only checks it. */
export function createItem(world: World, project: Project, type: ItemType, patch: unknown, onlyCheck: boolean) {
  const { account, hooks } = world
  const { fields, relations } = read(patch, type)
  const all: Record<string, unknown> = {
    'System.TeamProject': project.name,
    'System.WorkItemType': type.name,
    'System.State': type.states[0]?.name,
    'System.AreaPath': project.name,
    ...fields,
  }
  check(project, type, all)
  if (onlyCheck) return { id: -1, rev: -1, fields: account.describesChecks ? all : {}, url: '' }
  const item = account.add(project, type, all, relations)
  hooks.send(item, 'workitem.created')
  return viewItem(world, item, true)
}

/** Changes an item by a JSON Patch document. */
export function changeItem(world: World, id: number, patch: unknown) {
  const { account, hooks } = world
  const item = account.item(id)
  if (!item) throw noItem(id)
  const { fields, relations } = read(patch, item.type)
  const next = fields['System.State']
  const moves = next !== undefined && next !== item.fields['System.State']
  if (moves && account.rules.state) throw ruleError('State', 'HasValues, LimitedToValues, InvalidListValue')
  const isLocked = account.rules.description || (account.rules.closed && isClosed(item))
  if (!moves && isLocked) throw ruleError('Description', 'ReadOnly')
  if (moves && !item.type.states.some(({ name }) => name === next)) throw ruleError('State', 'InvalidListValue')
  Object.assign(item.fields, fields)
  item.relations.push(...relations)
  item.rev += 1
  hooks.send(item, 'workitem.updated', moves ? 'System.State' : 'System.Description')
  return viewItem(world, item, true)
}

function read(patch: unknown, type: ItemType): { fields: Record<string, unknown>; relations: Item['relations'] } {
  const wrong = (what: string) => new AzureError(400, 'VssPropertyValidationException', `${what} is not valid`)
  if (!Array.isArray(patch) || patch.length === 0) throw wrong('The document')
  const fields: Record<string, unknown> = {}
  const relations: Item['relations'] = []
  for (const { op, path, value } of patch as Operation[]) {
    const [, name] = FIELD.exec(path) ?? []
    if (op !== 'add' && op !== 'replace') throw wrong('The operation')
    const isKnown = name?.startsWith('System.') || type.fields.some(({ referenceName }) => referenceName === name)
    if (name !== undefined && isKnown) fields[name] = value
    else if (path === '/relations/-') relations.push(value as Item['relations'][number])
    else throw wrong('The path')
  }
  return { fields, relations }
}

function check(project: Project, type: ItemType, fields: Record<string, unknown>): void {
  const title = fields['System.Title']
  if (typeof title !== 'string' || title === '') throw ruleError('Title', 'Required, InvalidEmpty')
  if (title.length > MAX_TITLE) throw ruleError('Title', 'InvalidTooLong')
  if (!areasOf(project.areas).includes(String(fields['System.AreaPath']))) {
    throw new AzureError(400, 'WorkItemTrackingTreeNodeException', 'TF401347: Invalid tree name given for work item -1')
  }
  for (const { referenceName, name, alwaysRequired, defaultValue, allowedValues } of type.fields) {
    const value = fields[referenceName] ?? defaultValue
    if (!alwaysRequired || referenceName.startsWith('System.')) continue
    if (value === null) throw ruleError(name, 'Required, HasValues, LimitedToValues, AllowsOldValue, InvalidEmpty')
    if (allowedValues.length > 0 && !allowedValues.some((one) => one === value)) {
      throw ruleError(name, 'HasValues, LimitedToValues, InvalidListValue')
    }
  }
}

function areasOf({ name, children }: Project['areas'], above = ''): string[] {
  const path = above === '' ? name : `${above}\\${name}`
  return [path, ...children.flatMap((child) => areasOf(child, path))]
}
