import { type Json, missing, ok, type Reply, refused, type Site, viewPerson } from './site.ts'

type Query = Readonly<Record<string, string>>

const PERMISSIONS = ['BROWSE_PROJECTS', 'CREATE_ISSUES', 'EDIT_ISSUES', 'ADD_COMMENTS', 'TRANSITION_ISSUES']

const pageOf = <T>(all: readonly T[], query: Query, usual: number) => {
  const startAt = Number(query.startAt ?? 0)
  const maxResults = Math.min(Number(query.maxResults ?? usual), 200)
  return { startAt, maxResults, total: all.length, values: all.slice(startAt, startAt + maxResults) }
}

const containing = (text: string | undefined, ...words: string[]) =>
  words.some((word) => word.toLowerCase().includes((text ?? '').toLowerCase()))

export const myself = (site: Site): Reply => ok(site.people[0] ? viewPerson(site.people[0]) : null)

export function searchProjects(site: Site, query: Query): Reply {
  const found = site.projects.filter(
    ({ id, key, name, live }) =>
      live &&
      !(query.action === 'create' && site.denied.has('CREATE_ISSUES')) &&
      (query.id === undefined || query.id === id) &&
      containing(query.query, key, name),
  )
  const { values, ...page } = pageOf(found, query, 50)
  return ok({ ...page, isLast: true, values: values.map(({ id, key, name }) => ({ id, key, name })) })
}

export function issueTypes(site: Site, project: string, query: Query): Reply {
  const known = site.project(project)
  if (!known) return missing('No project could be found.')
  const { values, ...page } = pageOf(known.types, query, 50)
  return ok({ ...page, issueTypes: values.map(({ id, name, subtask }) => ({ id, name, subtask })) })
}

export function fields(site: Site, project: string, type: string, query: Query): Reply {
  const known = site.project(project)?.types.find(({ id }) => id === type)
  if (!known) return refused({}, ['No issue type could be found.'])
  const { values, ...page } = pageOf(known.fields, query, 50)
  return ok({ ...page, fields: values })
}

export function assignable(site: Site, query: Query): Reply {
  if (query.query === undefined) return refused({}, ['query or accountId is missing'])
  if (!site.project(query.project)) return missing('No project could be found.')
  const found = site.people.filter(({ active, displayName }) => active && containing(query.query, displayName))
  return ok(found.slice(0, Number(query.maxResults ?? 50)).map(viewPerson))
}

export function permissions(site: Site, query: Query): Reply {
  if (query.projectId !== undefined && !site.project(query.projectId)) return missing('No project could be found.')
  const asked = (query.permissions ?? '').split(',').filter((key) => PERMISSIONS.includes(key))
  if (asked.length === 0) return refused({}, ['The permissions query parameter is required'])
  const view = (key: string): [string, Json] => [
    key,
    { id: '1', key, name: key, havePermission: !site.denied.has(key) },
  ]
  return ok({ permissions: Object.fromEntries(asked.map(view)) })
}
