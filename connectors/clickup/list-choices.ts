import type { Choice, Context } from '../connector.ts'
import { call, path } from './client.ts'
import { fieldChoices, requiredFields } from './custom-fields.ts'
import { List, type Team } from './schema.ts'
import { isClosed } from './task.ts'

const LISTED_PEOPLE = 50
const DEPENDS_ON = ['workspace', 'space', 'folder', 'list']
/** ClickUp's priorities, which are the same everywhere. */
const PRIORITIES = ['Urgent', 'High', 'Normal', 'Low']

/** A list with its statuses. */
export const readList = (context: Context, id: string) =>
  call(context, { method: 'GET', name: 'list', path: path`/list/${id}`, schema: List, subject: 'list' })

/** What can be chosen for the tasks of a list. `chosenPeople`: the assignee, saved or not. */
export async function choicesOfList(
  context: Context,
  { list, team, search, chosenPeople }: { list: string; team: Team; search: string; chosenPeople: readonly string[] },
): Promise<Choice[]> {
  const { statuses } = await readList(context, list)
  const open = (statuses ?? [])
    .filter((status) => !isClosed(status))
    .toSorted((a, b) => (a.orderindex ?? 0) - (b.orderindex ?? 0))
  const optional = (field: string, label: string, help: string, rest: Partial<Choice>): Choice => ({
    field,
    label,
    help,
    dependsOn: DEPENDS_ON,
    options: [],
    ...rest,
  })
  return [
    ...fieldChoices(await requiredFields(context, list)),
    optional('status', 'Status', 'Default: the list’s own for new tasks.', {
      single: true,
      options: open.map(({ status }) => ({ value: status, label: status })),
    }),
    optional('priority', 'Priority', 'Default: no priority.', {
      single: true,
      options: PRIORITIES.map((label, at) => ({ value: String(at + 1), label })),
    }),
    optional('assignee', 'Assignee', 'New tasks are assigned to this person.', {
      single: true,
      searchable: true,
      options: peopleOf(team, search, chosenPeople),
    }),
    optional('tags', 'Tags', 'New tasks have them. Separate tags with commas.', { kind: 'text' }),
  ]
}

function peopleOf({ members }: Team, search: string, chosen: readonly string[]): Choice['options'] {
  const people = (members ?? []).map(({ user }) => ({ value: user.id, label: user.username ?? user.email ?? user.id }))
  const text = search.toLowerCase()
  const found = people.filter(({ value, label }) => label.toLowerCase().includes(text) || value === search)
  const kept = people.filter(({ value }) => chosen.includes(value) && !found.some((one) => one.value === value))
  return [...kept, ...found.slice(0, LISTED_PEOPLE)]
}
