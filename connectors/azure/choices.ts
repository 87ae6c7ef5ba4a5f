import type { Choice, Choices, Context } from '../connector.ts'
import { beginTask, call } from './client.ts'
import { allProjects, areaPaths, defaultMembers } from './lists.ts'
import { chosenIn, chosenOrganisation, chosenProject, organisationsOf, type Place, projectPath } from './place.ts'
import { isOutOfReach } from './refusal.ts'
import { requiredChoices } from './required-fields.ts'
import { ItemType, listOf, TypeField } from './schema.ts'

/** Options that are listed of a searchable choice. */
const LISTED = 50

type Search = Readonly<Record<string, string>>
type Option = Choice['options'][number]

/** The organisation where there are several, the project and the type, and what depends on them. */
export const choices: Choices = async (context, { search }) => {
  const organisations = organisationChoices(context)
  const organisation = chosenOrganisation(context)
  if (organisation === null) return organisations
  await beginTask(context)
  const projects = await allProjects(context, organisation)
  const project: Choice = {
    field: 'project',
    label: 'Project',
    help: 'The project that the work items are created in.',
    single: true,
    required: true,
    searchable: true,
    dependsOn: ['in_organization'],
    options: found(projects, search['project'], chosenIn(context, 'project')),
  }
  const id = chosenProject(context)
  if (id === null || !projects.some(({ value }) => value === id)) return [...organisations, project]
  return [...organisations, project, ...(await choicesOfProject(context, { organisation, project: id }, search))]
}

/** Nothing where there is one organisation only. */
function organisationChoices(context: Context): Choice[] {
  const names = organisationsOf(context)
  if (names.length === 1) return []
  return [
    {
      field: 'in_organization',
      label: 'Organization',
      help: 'The organization that the work items are created in.',
      single: true,
      required: true,
      options: names.map((name) => ({ value: name, label: name })),
    },
  ]
}

async function choicesOfProject(context: Context, place: Place, search: Search): Promise<Choice[]> {
  const { value } = await call(context, {
    name: 'workitemtypes.list',
    path: `${projectPath(place)}/wit/workitemtypes`,
    schema: listOf(ItemType),
  })
  const names = value.filter(({ isDisabled }) => isDisabled !== true).map(({ name }) => name)
  const type: Choice = {
    field: 'type',
    label: 'Work item type',
    help: 'The type of the work items. What else is required depends on it.',
    single: true,
    required: true,
    dependsOn: ['in_organization', 'project'],
    options: names.map((name) => ({ value: name, label: name })),
  }
  const [chosen] = chosenIn(context, 'type')
  if (chosen === undefined || !names.includes(chosen)) return [type]
  const [areas, people] = [await areaPaths(context, place), await allowedList(defaultMembers(context, place))]
  const optional = (field: string, label: string, help: string, options: readonly Option[]): Choice => ({
    field,
    label,
    help,
    single: true,
    searchable: true,
    dependsOn: ['in_organization', 'project'],
    options: found(options, search[field], chosenIn(context, field)),
  })
  return [
    type,
    ...requiredChoices(await fieldsOf(context, place, chosen)),
    optional('area', 'Area path', 'Default: the top area of the project.', areas),
    optional('assigned_to', 'Assigned to', 'A member of the project’s default team. Default: nobody.', people),
  ]
}

async function fieldsOf(context: Context, place: Place, type: string): Promise<TypeField[]> {
  const { value } = await call(context, {
    name: 'workitemtypes.fields',
    path: `${projectPath(place)}/wit/workitemtypes/${encodeURIComponent(type)}/fields`,
    query: { $expand: 'allowedValues' },
    schema: listOf(TypeField),
  })
  return value
}

/** Some options, with those that are chosen: Azure's lists have no search. */
function found(all: readonly Option[], text: string | undefined, chosen: readonly string[]): Option[] {
  const wanted = text?.toLowerCase() ?? ''
  const matches = ({ value, label, hint }: Option) =>
    [value, label, hint ?? ''].some((word) => word.toLowerCase().includes(wanted))
  const listed = all.filter(matches).slice(0, LISTED)
  const kept = all.filter((option) => chosen.includes(option.value) && !listed.includes(option))
  return [...kept, ...listed]
}

/** Empty where the sign-in may not read the list. */
async function allowedList(list: Promise<Option[]>): Promise<Option[]> {
  try {
    return await list
  } catch (error) {
    if (isOutOfReach(error)) return []
    throw error
  }
}
