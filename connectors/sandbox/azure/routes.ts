import type { Account, Project } from './account.ts'
import type { Hooks } from './hooks.ts'
import { AzureError, noItem, noProject } from './refuse.ts'
import { changeItem, createItem, viewItem } from './work-items.ts'

type World = { account: Account; hooks: Hooks; url: string }
type Asked = { parts: readonly string[]; query: URLSearchParams; json: unknown }
type Route = { method: string; template: string; answer: (asked: Asked) => unknown }

const listOf = (value: readonly unknown[]) => ({ count: value.length, value })

/** The calls of Azure DevOps that the connector makes, by the paths of its description. `parts` are those in braces, in order. */
export function routesOf(world: World): readonly Route[] {
  const { account, hooks } = world
  /** By its id or its name. */
  const projectOf = (id: string | undefined): Project => {
    const project = account.projects.find(({ id: own, name }) => own === id || name === id)
    if (!project) throw noProject()
    return project
  }
  const typeOf = (project: Project, name: string | undefined) => {
    const type = project.types.find((one) => one.name === name && !one.isDisabled)
    if (type) return type
    throw new AzureError(404, 'WorkItemTypeNotFoundException', 'VS402323: Work item type x does not exist in project y')
  }
  const itemOf = (project: Project, id: string | undefined) => {
    const item = account.item(Number(id))
    if (item?.project !== project) throw noItem(id)
    return item
  }
  const route = (method: string, template: string, answer: Route['answer']): Route => ({ method, template, answer })
  const own = '/{organization}/_apis'
  const wit = '/{organization}/{project}/_apis/wit'
  // The project is optional for these calls, because an id is unique in its organisation.
  const ownWit = '/{organization}/_apis/wit'
  const requireHooks = () => {
    if (!hooks.allowed) throw new AzureError(403, 'AccessCheckException', 'Access denied: customer words')
  }
  return [
    route('GET', '/_apis/profile/profiles/me', () => account.person),
    route('GET', '/_apis/accounts', () => listOf(account.organisations.map((accountName) => ({ accountName })))),
    route('GET', `${own}/projects`, ({ query }) => {
      const skip = Number(query.get('$skip') ?? 0)
      const page = account.projects.slice(skip, skip + Number(query.get('$top') ?? 100))
      return listOf(page.map(({ id, name }) => ({ id, name, state: 'wellFormed' })))
    }),
    route('GET', `${own}/projects/{projectId}`, ({ parts }) => {
      const { id, name, teamId } = projectOf(parts[1])
      return { id, name, state: 'wellFormed', defaultTeam: { id: teamId, name: `${name} Team` } }
    }),
    route('GET', `${own}/projects/{projectId}/teams/{teamId}/members`, ({ parts }) =>
      listOf(projectOf(parts[1]).members.map((identity) => ({ identity }))),
    ),
    route('GET', `${wit}/workitemtypes`, ({ parts }) =>
      listOf(projectOf(parts[1]).types.map(({ name, isDisabled }) => ({ name, isDisabled }))),
    ),
    route('GET', `${wit}/workitemtypes/{type}/states`, ({ parts }) =>
      listOf(typeOf(projectOf(parts[1]), parts[2]).states),
    ),
    route('GET', `${wit}/workitemtypes/{type}/fields`, ({ parts }) =>
      listOf(typeOf(projectOf(parts[1]), parts[2]).fields),
    ),
    route('GET', `${wit}/classificationnodes/areas`, ({ parts }) => projectOf(parts[1]).areas),
    route('POST', `${wit}/workitems/\${type}`, ({ parts, query, json }) => {
      const project = projectOf(parts[1])
      return createItem(world, project, typeOf(project, parts[2]), json, query.get('validateOnly') === 'true')
    }),
    route('PATCH', `${ownWit}/workitems/{id}`, ({ parts, json }) => changeItem(world, Number(parts[1]), json)),
    route('POST', `${ownWit}/wiql`, ({ json, query }) => {
      const tag = /\[System\.Tags\] CONTAINS '([\w-]+)'/.exec((json as { query: string }).query)?.[1]
      if (tag === undefined) throw new AzureError(400, 'SyntaxException', 'TF51006: The query is missing a clause.')
      const found = account.items.filter(
        (item) => item.listed && account.item(item.id) && item.fields['System.Tags'] === tag,
      )
      const workItems = found.slice(0, Number(query.get('$top') ?? 200)).map(({ id }) => ({ id, url: '' }))
      return { queryType: 'flat', queryResultType: 'workItem', asOf: new Date().toISOString(), columns: [], workItems }
    }),
    route('POST', `${ownWit}/workitemsbatch`, ({ json }) => {
      const { ids, fields, errorPolicy } = json as { ids: number[]; fields: string[]; errorPolicy?: string }
      const items = ids.map((id) => account.item(id) ?? null)
      if (errorPolicy !== 'omit' && items.includes(null)) throw noItem(ids[items.indexOf(null)])
      return listOf(
        items.map((item) => {
          if (item === null) return null
          const view = viewItem(world, item, false)
          return { ...view, fields: Object.fromEntries(fields.map((name) => [name, view.fields[name]])) }
        }),
      )
    }),
    route('GET', `${wit}/workItems/{workItemId}/comments`, ({ parts, query }) => {
      const comments = itemOf(projectOf(parts[1]), parts[2]).comments.filter(({ isDeleted }) => isDeleted !== true)
      const listed = comments.toReversed().slice(0, Number(query.get('$top') ?? 200))
      return { totalCount: comments.length, count: listed.length, comments: listed }
    }),
    route('POST', `${wit}/workItems/{workItemId}/comments`, ({ parts, json }) =>
      account.comment(itemOf(projectOf(parts[1]), parts[2]), (json as { text: string }).text),
    ),
    route('PATCH', `${wit}/workItems/{workItemId}/comments/{commentId}`, ({ parts, json }) => {
      const comment = itemOf(projectOf(parts[1]), parts[2]).comments.find(({ id }) => id === Number(parts[3]))
      if (!comment) throw new AzureError(404, 'CommentNotFoundException', 'The comment was not found')
      return Object.assign(comment, json)
    }),
    route('GET', `${own}/hooks/subscriptions`, () => {
      requireHooks()
      return listOf(hooks.list())
    }),
    route('POST', `${own}/hooks/subscriptions`, ({ json }) => {
      requireHooks()
      return hooks.create(json)
    }),
    route('DELETE', `${own}/hooks/subscriptions/{subscriptionId}`, ({ parts }) => {
      requireHooks()
      hooks.remove(parts[1] ?? '')
      return null
    }),
  ]
}

/** The parts of a path that a template has in braces; null where it does not match. */
export function matchTemplate(template: string, path: string): string[] | null {
  const [wanted, given] = [template.split('/'), path.split('/')]
  if (wanted.length !== given.length) return null
  const parts: string[] = []
  for (const [at, piece] of wanted.entries()) {
    const value = decodeURIComponent(given[at] ?? '')
    if (piece.startsWith('${') && value.startsWith('$')) parts.push(value.slice(1))
    else if (piece.startsWith('{') && value !== '') parts.push(value)
    else if (piece !== value) return null
  }
  return parts
}
