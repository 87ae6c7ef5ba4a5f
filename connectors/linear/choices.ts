import * as z from 'zod/mini'
import type { Choice, Choices, Context } from '../connector.ts'
import { call, type Operation } from './client.ts'
import { Missing } from './refusal.ts'

const PAGE = 100
/** More teams or labels than this are not listed. */
const MAX_PAGES = 10

const Named = z.object({ id: z.string(), name: z.string() })
const pageOf = <T extends z.ZodMiniType>(node: T) =>
  z.object({
    nodes: z.array(node),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.nullable(z.string()) }),
  })

const TEAMS = {
  name: 'teams',
  document: `query Teams($after: String) {
  teams(first: ${PAGE}, after: $after) { nodes { id name key } pageInfo { hasNextPage endCursor } }
}`,
  data: z.object({ teams: pageOf(z.extend(Named, { key: z.string() })) }),
} satisfies Operation<z.ZodMiniType>

const LABELS = {
  name: 'issueLabels',
  document: `query Labels($team: ID!, $after: String) {
  issueLabels(
    first: ${PAGE}
    after: $after
    filter: { isGroup: { eq: false }, or: [{ team: { null: true } }, { team: { id: { eq: $team } } }] }
  ) { nodes { id name parent { id name } } pageInfo { hasNextPage endCursor } }
}`,
  data: z.object({ issueLabels: pageOf(z.extend(Named, { parent: z.nullable(Named) })) }),
} satisfies Operation<z.ZodMiniType>

const OF_TEAM = {
  name: 'team',
  document: `query TeamChoices($team: String!, $projects: ProjectFilter, $people: UserFilter) {
  team(id: $team) {
    states(first: 100) { nodes { id name type position } }
    projects(first: 50, filter: $projects) { nodes { id name } }
    members(first: 50, filter: $people) { nodes { id name isAssignable } }
  }
  issuePriorityValues { priority label }
}`,
  data: z.object({
    team: z.object({
      states: z.object({ nodes: z.array(z.extend(Named, { type: z.string(), position: z.number() })) }),
      projects: z.object({ nodes: z.array(Named) }),
      members: z.object({ nodes: z.array(z.extend(Named, { isAssignable: z.boolean() })) }),
    }),
    issuePriorityValues: z.array(z.object({ priority: z.int(), label: z.string() })),
  }),
} satisfies Operation<z.ZodMiniType>

/** In the order of Linear's own lists. A new issue is never closed. */
const OPEN_TYPES = ['triage', 'backlog', 'unstarted', 'started']

/** The team, and what depends on it. */
export const choices: Choices = async (context, { search }) => {
  const teams = await allPages(context, TEAMS, {}, ({ teams: page }) => page)
  const team: Choice = {
    field: 'team',
    label: 'Team',
    help: 'The team that the issues are created in.',
    single: true,
    required: true,
    options: teams.map(({ id, name, key }) => ({ value: id, label: name, hint: key })),
  }
  const chosen = chosenIn(context, 'team')[0]
  if (chosen === undefined || !teams.some(({ id }) => id === chosen)) return [team]
  try {
    return [team, ...(await choicesOfTeam(context, chosen, search))]
  } catch (error) {
    if (error instanceof Missing) return [team]
    throw error
  }
}

async function choicesOfTeam(context: Context, id: string, search: Readonly<Record<string, string>>) {
  const { team, issuePriorityValues } = await call(context, OF_TEAM, {
    team: id,
    projects: byName(search.project),
    people: byName(search.assignee),
  })
  const labels = await allPages(context, LABELS, { team: id }, ({ issueLabels }) => issueLabels)
  const { states, projects, members } = await withChosen(context, id, team)
  const open = states.nodes
    .filter(({ type }) => OPEN_TYPES.includes(type))
    .toSorted((a, b) => OPEN_TYPES.indexOf(a.type) - OPEN_TYPES.indexOf(b.type) || a.position - b.position)
  const optional = (field: string, label: string, help: string, rest: Pick<Choice, 'options' | 'searchable'>) =>
    ({ field, label, help, single: true, ...rest }) satisfies Choice
  return [
    optional('project', 'Project', 'New issues are added to it.', {
      searchable: true,
      options: projects.nodes.map(optionOf),
    }),
    {
      field: 'labels',
      label: 'Labels',
      help: 'New issues have them. Linear allows one label of each group.',
      options: labels.map(({ parent, ...label }) => ({
        ...optionOf(label),
        ...(parent ? { hint: parent.name, group: { id: parent.id, label: parent.name } } : {}),
      })),
    } satisfies Choice,
    optional('assignee', 'Assignee', 'New issues are assigned to this person.', {
      searchable: true,
      options: members.nodes.filter(({ isAssignable }) => isAssignable).map(optionOf),
    }),
    optional('state', 'Status', 'Default: the team’s own for new issues.', { options: open.map(optionOf) }),
    optional('priority', 'Priority', 'Default: no priority.', {
      options: issuePriorityValues
        .filter(({ priority }) => priority > 0)
        .map(({ priority, label }) => ({ value: String(priority), label })),
    }),
    optional(
      'customer_requests',
      'Customer requests',
      'For each company that wrote and that Linear has as a customer, by name. Without their words. Default: none.',
      { options: [{ value: 'known', label: 'For customers in Linear' }] },
    ),
  ]
}

const optionOf = ({ id, name }: z.infer<typeof Named>) => ({ value: id, label: name })

const byName = (text: string | undefined) => (text ? { name: { containsIgnoreCase: text } } : null)

type TeamChoices = z.infer<typeof OF_TEAM.data>['team']

/** Adds the current choices if a search or a full page omits them. */
async function withChosen(context: Context, id: string, listed: TeamChoices): Promise<TeamChoices> {
  const [project, person] = [chosenIn(context, 'project'), chosenIn(context, 'assignee')]
  const known = new Set([...listed.projects.nodes, ...listed.members.nodes].map((node) => node.id))
  if ([...project, ...person].every((one) => known.has(one))) return listed
  const { team } = await call(context, OF_TEAM, {
    team: id,
    projects: { id: { in: project } },
    people: { id: { in: person } },
  })
  const added = <N extends { id: string }>(nodes: N[], more: N[]) => ({
    nodes: [...more.filter((node) => !known.has(node.id)), ...nodes],
  })
  return {
    states: listed.states,
    projects: added(listed.projects.nodes, team.projects.nodes),
    members: added(listed.members.nodes, team.members.nodes),
  }
}

/** The chosen values, saved or not. */
function chosenIn({ settings }: Context, field: string): string[] {
  return z.array(z.string()).safeParse(settings[field]).data ?? []
}

type NodePage<N> = { nodes: N[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }

async function allPages<T extends z.ZodMiniType, N>(
  context: Context,
  operation: Operation<T>,
  variables: Readonly<Record<string, unknown>>,
  read: (data: z.infer<T>) => NodePage<N>,
): Promise<N[]> {
  const all: N[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { nodes, pageInfo }: NodePage<N> = read(await call(context, operation, { ...variables, after }))
    all.push(...nodes)
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) break
    after = pageInfo.endCursor
  }
  return all
}
