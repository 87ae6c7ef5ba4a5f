import * as z from 'zod/mini'
import type { Choice, Choices, Context } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call } from './client.ts'
import { isFullName, isInstallation } from './manifest.ts'
import { entries, type PageQuery } from './pages.ts'
import { inRepository, pathOf, readRepository } from './repository.ts'
import { Assignees, InstallationRepositories, Labels, Repositories, type Repository } from './schema.ts'

/** Options that are listed of a searchable choice. */
const MAX_OPTIONS = 100
/** Entries of a list that are searched. */
const MAX_ENTRIES = 1000

/** The repository, and the labels and people of it. */
export const choices: Choices = async (context, { search }) => {
  const repository: Choice = {
    field: 'repository',
    label: 'Repository',
    help: 'Issues are created in it. Not listed: archived ones, and those where issues are switched off.',
    single: true,
    required: true,
    searchable: true,
    options: (await findRepositories(context, search.repository ?? '')).map(({ full_name }) => option(full_name)),
  }
  const [chosen] = z.array(z.string()).safeParse(context.settings.repository).data ?? []
  if (chosen === undefined || !isFullName(chosen)) return [repository]
  try {
    return [repository, ...(await choicesOf(context, chosen, search))]
  } catch (error) {
    // The chosen repository is out of reach: another one can still be chosen.
    if (error instanceof Rejected) return [repository]
    throw error
  }
}

async function choicesOf(
  context: Context,
  repository: string,
  search: Readonly<Record<string, string>>,
): Promise<Choice[]> {
  const list = <T extends z.ZodMiniType>(name: string, part: string, schema: T) => {
    const path = `${pathOf(repository)}/${part}`
    return (page: PageQuery) => inRepository(() => call(context, { name, path, query: { ...page }, schema }))
  }
  const labels = await taken(entries(list('issues.listLabelsForRepo', 'labels', Labels), MAX_ENTRIES), MAX_ENTRIES)
  const people = entries(list('issues.listAssignees', 'assignees', Assignees), MAX_ENTRIES)
  const found = await taken(
    matching(people, search.assignee ?? '', ({ login }) => login),
    MAX_OPTIONS,
  )
  return [
    {
      field: 'labels',
      label: 'Labels',
      help: 'New issues have them.',
      dependsOn: ['repository'],
      options: labels.map(({ name, description }) => ({
        ...option(name),
        ...(description ? { hint: description } : {}),
      })),
    },
    {
      field: 'assignee',
      label: 'Assignee',
      help: 'New issues are assigned to this person.',
      single: true,
      searchable: true,
      dependsOn: ['repository'],
      options: found.map(({ login }) => option(login)),
    },
  ]
}

const option = (name: string) => ({ value: name, label: name })

/** A repository that is named in full is found behind any number of others. */
async function findRepositories(context: Context, text: string): Promise<Repository[]> {
  const all = matching(entries(repositoryPages(context), MAX_ENTRIES), text, ({ full_name }) => full_name)
  const found = await taken(usable(all), MAX_OPTIONS)
  const isListed = found.some(({ full_name }) => full_name.toLowerCase() === text.toLowerCase())
  if (isListed || !isFullName(text)) return found
  try {
    const named = await readRepository(context, text)
    return isUsable(named) ? [named, ...found] : found
  } catch (error) {
    if (error instanceof Rejected) return found
    throw error
  }
}

/** An installation lists the repositories that it was given, a token those of its person. */
function repositoryPages(context: Context): (page: PageQuery) => Promise<Repository[]> {
  if (isInstallation(context)) {
    return async (page) => {
      const { repositories } = await call(context, {
        name: 'apps.listReposAccessibleToInstallation',
        path: '/installation/repositories',
        query: { ...page },
        schema: InstallationRepositories,
      })
      return repositories
    }
  }
  return (page) =>
    call(context, {
      name: 'repos.listForAuthenticatedUser',
      path: '/user/repos',
      query: { sort: 'full_name', ...page },
      schema: Repositories,
    })
}

const isUsable = ({ has_issues, archived }: Repository) => has_issues && !archived

async function* usable(repositories: AsyncIterable<Repository>): AsyncGenerator<Repository> {
  for await (const one of repositories) if (isUsable(one)) yield one
}

/** The entries with a text in their name, in any case. */
async function* matching<T>(all: AsyncIterable<T>, text: string, nameOf: (one: T) => string): AsyncGenerator<T> {
  const part = text.toLowerCase()
  for await (const one of all) if (nameOf(one).toLowerCase().includes(part)) yield one
}

async function taken<T>(all: AsyncIterable<T>, limit: number): Promise<T[]> {
  const list: T[] = []
  for await (const one of all) {
    list.push(one)
    if (list.length === limit) break
  }
  return list
}
