import type { Choice, Context } from '../connector.ts'
import { call } from './client.ts'
import { type Place, projectPath } from './place.ts'
import { Area, DefaultTeam, listOf, Member, Project } from './schema.ts'

/** Azure's own page size: a larger one may be cut, which would look like the last page. */
const PAGE = 100
/** More projects than 2,000 are not listed. */
const MAX_PAGES = 20
const AREA_DEPTH = 10
const MAX_MEMBERS = 500

type Option = Choice['options'][number]

/** The projects of an organisation, by name. */
export async function allProjects(context: Context, organisation: string): Promise<Option[]> {
  const all: Option[] = []
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { value } = await call(context, {
      name: 'projects.list',
      path: `/${organisation}/_apis/projects`,
      query: { stateFilter: 'wellFormed', $top: PAGE, $skip: page * PAGE },
      schema: listOf(Project),
    })
    all.push(...value.map(({ id, name }) => ({ value: id.toLowerCase(), label: name })))
    if (value.length < PAGE) break
  }
  return all.toSorted((a, b) => a.label.localeCompare(b.label))
}

/** The id of a project by its name or id. Throws a `Refusal` where it does not exist or cannot be seen. */
export async function projectIdOf(context: Context, { organisation, project }: Place): Promise<string> {
  const path = `/${organisation}/_apis/projects/${encodeURIComponent(project)}`
  const { id } = await call(context, { name: 'projects.get', path, schema: Project })
  return id.toLowerCase()
}

/** The areas of a project as work items name them, such as `Fabrikam\Website`. */
export async function areaPaths(context: Context, place: Place): Promise<Option[]> {
  const root = await call(context, {
    name: 'classificationnodes.areas',
    path: `${projectPath(place)}/wit/classificationnodes/areas`,
    query: { $depth: AREA_DEPTH },
    schema: Area,
  })
  return pathsOf(root, '').map((path) => ({ value: path, label: path }))
}

function pathsOf({ name, children }: Area, above: string): string[] {
  const path = above === '' ? name : `${above}\\${name}`
  return [path, ...(children ?? []).flatMap((child) => pathsOf(child, path))]
}

/** The people in a project's default team. Groups cannot be assigned to. */
export async function defaultMembers(context: Context, { organisation, project }: Place): Promise<Option[]> {
  const path = `/${organisation}/_apis/projects/${project}`
  const { defaultTeam } = await call(context, { name: 'projects.get', path, schema: DefaultTeam })
  if (!defaultTeam) return []
  const { value } = await call(context, {
    name: 'teams.members',
    path: `${path}/teams/${encodeURIComponent(defaultTeam.id)}/members`,
    query: { $top: MAX_MEMBERS },
    schema: listOf(Member),
  })
  return value.flatMap(({ identity: { uniqueName, displayName, isContainer } }) =>
    uniqueName && isContainer !== true
      ? [{ value: uniqueName, label: displayName ?? uniqueName, hint: uniqueName }]
      : [],
  )
}
