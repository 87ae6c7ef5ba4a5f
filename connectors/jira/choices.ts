import type { Choice, Choices, Context } from '../connector.ts'
import { call, JiraRefusal } from './client.ts'
import { fieldsOf, issueTypesOf } from './create-meta.ts'
import { settingsOf } from './manifest.ts'
import { optionsOf, requiredChoices } from './required-fields.ts'
import { type Field, People, Projects } from './schema.ts'
import { type JiraSite, siteById, siteOf } from './site.ts'

const LISTED = 50

/** The site where there are several, the project and the issue type, and what depends on them. */
export const choices: Choices = async (context, { search }) => {
  const sites = siteChoice(context)
  const found = sites.length === 0 ? siteOf(context) : chosenSite(context)
  if (found === null) return sites
  const project: Choice = {
    field: 'project',
    label: 'Project',
    help: 'The project that the issues are created in.',
    single: true,
    required: true,
    searchable: true,
    dependsOn: ['site'],
    options: await projectsOf(context, found, search.project),
  }
  const projectId = chosenIn(context, 'project')[0]
  const types = projectId === undefined ? null : await issueTypesOf(context, found, projectId)
  if (projectId === undefined || types === null) return [...sites, project]
  const issueType: Choice = {
    field: 'issue_type',
    label: 'Issue type',
    help: 'The type of the issues. What else is required depends on it.',
    single: true,
    required: true,
    dependsOn: ['site', 'project'],
    options: types.map(({ id, name }) => ({ value: id, label: name })),
  }
  const typeId = chosenIn(context, 'issue_type')[0]
  const isOffered = types.some(({ id }) => id === typeId)
  const fields = isOffered && typeId !== undefined ? await fieldsOf(context, found, projectId, typeId) : null
  const further = fields ? await choicesOfType(context, found, projectId, fields, search) : []
  return [...sites, project, issueType, ...further]
}

/** Nothing with an API token, and where the sign-in is for one site. */
function siteChoice(context: Context): Choice[] {
  const settings = settingsOf(context)
  if ('host' in settings) return []
  const sites = Object.entries(settings.sites)
  if (sites.length === 1) return []
  const options = sites.map(([value, { name, url }]) => ({
    value,
    label: name === '' ? value : name,
    ...(url === null ? {} : { hint: new URL(url).host }),
  }))
  return [
    {
      field: 'site',
      label: 'Site',
      help: 'The Jira that the issues are created in.',
      single: true,
      required: true,
      options,
    },
  ]
}

function chosenSite(context: Context): JiraSite | null {
  const [id] = chosenIn(context, 'site')
  return id === undefined ? null : siteById(context, id)
}

async function projectsOf(context: Context, site: JiraSite, text: string | undefined): Promise<Choice['options']> {
  const { values } = await call(context, site, {
    name: 'project/search',
    path: '/project/search',
    query: { action: 'create', orderBy: 'name', maxResults: LISTED, query: text ?? null },
    schema: Projects,
  })
  return values.map(({ id, key, name }) => ({ value: id, label: name, hint: key }))
}

async function choicesOfType(
  context: Context,
  site: JiraSite,
  project: string,
  fields: readonly Field[],
  search: Readonly<Record<string, string>>,
): Promise<Choice[]> {
  const byId = new Map(fields.map((field) => [field.fieldId, field]))
  const people = (text: string | undefined) => assignable(context, site, project, text)
  const required = requiredChoices(fields)
  const withPeople: Choice[] = []
  for (const choice of required) {
    withPeople.push(choice.searchable ? { ...choice, options: await people(search[choice.field]) } : choice)
  }
  const optional = (field: string, label: string, help: string, rest: Partial<Choice>): Choice => {
    const { required: isRequired = false, hasDefaultValue } = byId.get(field) ?? {}
    const required = isRequired && hasDefaultValue !== true
    return { field, label, help, dependsOn: ['site', 'project', 'issue_type'], options: [], required, ...rest }
  }
  const all: (Choice | null)[] = [
    ...withPeople,
    optional('labels', 'Labels', 'New issues have them. Separate labels with spaces.', {
      kind: 'text',
      required: false,
    }),
    offers(byId.get('components'))
      ? optional('components', 'Components', 'New issues belong to them.', {
          options: optionsOf(byId.get('components') ?? {}),
        })
      : null,
    offers(byId.get('priority'))
      ? optional('priority', 'Priority', 'Default: that of the project.', {
          single: true,
          options: optionsOf(byId.get('priority') ?? {}),
        })
      : null,
    byId.has('assignee')
      ? optional('assignee', 'Assignee', 'New issues are assigned to this person. Default: that of the project.', {
          single: true,
          searchable: true,
          options: await people(search.assignee),
        })
      : null,
  ]
  return all.filter((choice) => choice !== null)
}

const offers = (field: Field | undefined) => (field?.allowedValues?.length ?? 0) > 0

/** People to whom issues of the project can be assigned; none where the sign-in may not see people. */
async function assignable(
  context: Context,
  site: JiraSite,
  project: string,
  text: string | undefined,
): Promise<Choice['options']> {
  try {
    const people = await call(context, site, {
      name: 'user/assignable/search',
      path: '/user/assignable/search',
      query: { project, query: text ?? '', maxResults: LISTED },
      schema: People,
    })
    return people
      .filter(({ active }) => active !== false)
      .map(({ accountId, displayName }) => ({ value: accountId, label: displayName ?? accountId }))
  } catch (error) {
    if (error instanceof JiraRefusal && (error.status === 403 || error.status === 404)) return []
    throw error
  }
}

/** The values of a choice, saved or not. Ids of projects and types become a part of paths: values of another form are ignored. */
function chosenIn({ settings }: Pick<Context, 'settings'>, field: string): string[] {
  const chosen = settings[field]
  if (!Array.isArray(chosen)) return []
  const pattern = field === 'site' ? /^[A-Za-z0-9-]{1,64}$/ : /^\d{1,18}$/
  return chosen.filter((value): value is string => typeof value === 'string' && pattern.test(value))
}
