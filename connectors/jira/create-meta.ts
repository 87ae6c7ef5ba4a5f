import type { Context } from '../connector.ts'
import { call, JiraRefusal } from './client.ts'
import { type Field, Fields, IssueTypes } from './schema.ts'
import type { JiraSite } from './site.ts'

const PAGE = 200
const MAX_PAGES = 10

type IssueType = { id: string; name: string }

/** The issue types that can be created in a project, without subtasks, which need a parent. Null: there is no such project. */
export async function issueTypesOf(context: Context, site: JiraSite, project: string): Promise<IssueType[] | null> {
  const types = await unlessUnknown(
    allOf((startAt) =>
      call(context, site, {
        name: 'createmeta/issuetypes',
        path: `/issue/createmeta/${project}/issuetypes`,
        query: { startAt, maxResults: PAGE },
        schema: IssueTypes,
      }).then(({ issueTypes, total }) => ({ values: issueTypes, total })),
    ),
  )
  return types && types.filter(({ subtask }) => subtask !== true).map(({ id, name }) => ({ id, name }))
}

/** The fields of the screen on which issues of a type are created. Null: the project has no such type. */
export async function fieldsOf(
  context: Context,
  site: JiraSite,
  project: string,
  issueType: string,
): Promise<Field[] | null> {
  return await unlessUnknown(
    allOf((startAt) =>
      call(context, site, {
        name: 'createmeta/fields',
        path: `/issue/createmeta/${project}/issuetypes/${issueType}`,
        query: { startAt, maxResults: PAGE },
        schema: Fields,
      }).then(({ fields, total }) => ({ values: fields, total })),
    ),
  )
}

async function allOf<T>(page: (startAt: number) => Promise<{ values: T[]; total?: number | undefined }>): Promise<T[]> {
  const all: T[] = []
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const { values, total } = await page(all.length)
    all.push(...values)
    if (values.length === 0 || total === undefined || all.length >= total) break
  }
  return all
}

/** Jira answers 400 or 404 for a project or a type that does not exist or cannot be seen. */
async function unlessUnknown<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof JiraRefusal && (error.status === 404 || error.status === 400)) return null
    throw error
  }
}
