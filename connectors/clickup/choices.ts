import type { Choice, Choices, Context } from '../connector.ts'
import { readTeams } from './check.ts'
import { call, path } from './client.ts'
import { choicesOfList } from './list-choices.ts'
import { Folders, Lists, Spaces } from './schema.ts'

const ACTIVE = { archived: false }
const NO_TAGS = 'Tags are switched off'

/** The workspace, the space and the list, and what depends on them. */
export const choices: Choices = async (context, { search }) => {
  const found: Choice[] = []
  const pick = (choice: Choice): string | undefined => {
    found.push(choice)
    return chosenIn(context, choice.field).find((id) => choice.options.some(({ value }) => value === id))
  }
  const teams = await readTeams(context)
  const workspace = pick({
    ...placeChoice('workspace', 'Workspace', 'The workspace that the tasks are created in.'),
    options: teams.map(optionOf),
  })
  const team = teams.find(({ id }) => id === workspace)
  if (!team) return found
  const space = pick({
    ...placeChoice('space', 'Space', 'Its tags have to be switched on: tasks are found again by a tag.', ['workspace']),
    options: (await readSpaces(context, team.id)).map((one) => ({
      ...optionOf(one),
      ...(one.features?.tags?.enabled === false ? { hint: NO_TAGS } : {}),
    })),
  })
  if (space === undefined) return found
  const folder = pick({
    ...placeChoice('folder', 'Folder', 'Default: lists that are in no folder.', ['workspace', 'space']),
    required: false,
    options: (await readFolders(context, space)).map(optionOf),
  })
  const list = pick({
    ...placeChoice('list', 'List', 'The list that the tasks are created in.', ['workspace', 'space', 'folder']),
    options: (await readLists(context, space, folder)).map(optionOf),
  })
  if (list === undefined) return found
  const text = search.assignee?.trim() ?? ''
  const chosenPeople = chosenIn(context, 'assignee')
  return [...found, ...(await choicesOfList(context, { list, team, search: text, chosenPeople }))]
}

const placeChoice = (field: string, label: string, help: string, dependsOn: readonly string[] = []) => ({
  field,
  label,
  help,
  single: true,
  required: true,
  dependsOn,
})

const optionOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

/** The spaces of a workspace, with the features that are switched on. */
export async function readSpaces(context: Context, workspace: string) {
  const { spaces } = await call(context, {
    method: 'GET',
    name: 'team/space',
    path: path`/team/${workspace}/space`,
    query: ACTIVE,
    schema: Spaces,
    subject: 'workspace',
  })
  return spaces
}

async function readFolders(context: Context, space: string) {
  const { folders } = await call(context, {
    method: 'GET',
    name: 'space/folder',
    path: path`/space/${space}/folder`,
    query: ACTIVE,
    schema: Folders,
    subject: 'space',
  })
  return folders
}

async function readLists(context: Context, space: string, folder: string | undefined) {
  const { lists } = await call(context, {
    method: 'GET',
    name: folder === undefined ? 'space/list' : 'folder/list',
    path: folder === undefined ? path`/space/${space}/list` : path`/folder/${folder}/list`,
    query: ACTIVE,
    schema: Lists,
    subject: folder === undefined ? 'space' : 'folder',
  })
  return lists
}

/** The chosen values, saved or not. */
function chosenIn({ settings }: Pick<Context, 'settings'>, field: string): string[] {
  const chosen = settings[field]
  return Array.isArray(chosen) ? chosen.filter((value): value is string => typeof value === 'string') : []
}
