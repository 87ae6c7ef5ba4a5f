import type { Context } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call, unlessMissing } from './client.ts'
import { fieldsOf } from './create-meta.ts'
import { issueTypeOf, projectOf } from './manifest.ts'
import { obstaclesOf, unfilledOf } from './required-fields.ts'
import { Permissions, Projects } from './schema.ts'
import { siteOf } from './site.ts'

/** Jira's keys of permissions, and their names on its screens. */
const REQUIRED: Readonly<Record<string, string>> = {
  BROWSE_PROJECTS: 'Browse projects',
  CREATE_ISSUES: 'Create issues',
  EDIT_ISSUES: 'Edit issues',
}
const OPTIONAL: Readonly<Record<string, string>> = {
  ADD_COMMENTS: 'Add comments',
  TRANSITION_ISSUES: 'Transition issues',
}

const NO_LONGER = 'Jira no longer has the project or the issue type. Choose again'

/** Reads permissions and fields, without writing anything. */
export async function verify(context: Context): Promise<string> {
  const [site, project, issueType] = [siteOf(context), projectOf(context), issueTypeOf(context)]
  const granted = await unlessMissing(
    call(context, site, {
      name: 'mypermissions',
      path: '/mypermissions',
      query: { projectId: project, permissions: [...Object.keys(REQUIRED), ...Object.keys(OPTIONAL)].join(',') },
      schema: Permissions,
    }),
  )
  if (granted === null) throw new Rejected(NO_LONGER)
  const lacking = (wanted: Readonly<Record<string, string>>) =>
    Object.keys(wanted)
      .filter((key) => granted.permissions[key]?.havePermission !== true)
      .map((key) => wanted[key])
      .join(', ')
  const refused = lacking(REQUIRED)
  if (refused !== '') {
    throw new Rejected(
      `The sign-in lacks permissions in the project in Jira: ${refused}. Grant them or choose another one`,
    )
  }
  const fields = await fieldsOf(context, site, project, issueType)
  if (fields === null) throw new Rejected(NO_LONGER)
  const [obstacle] = obstaclesOf(fields)
  if (obstacle) throw new Rejected(obstacle.help)
  const unfilled = unfilledOf(fields, context.settings)
  if (unfilled.length > 0) throw new Rejected(`Jira requires ${unfilled.join(', ')}. Open the choices and fill them`)
  const { values } = await call(context, site, {
    name: 'project/search',
    path: '/project/search',
    query: { id: project, action: 'create' },
    schema: Projects,
  })
  const name = values.find(({ id }) => id === project)?.name
  if (name === undefined) throw new Rejected('The project in Jira takes no issues of this sign-in. Choose another one')
  const missing = lacking(OPTIONAL)
  return `The sign-in may create and edit issues in ${name}${missing === '' ? '' : `. It lacks: ${missing}`}`
}
