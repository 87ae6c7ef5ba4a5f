import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { ItemGone, Rejected } from '../kit/errors.ts'
import type { RemoteItem, RemoteStatus } from '../tracker.ts'
import { call } from './client.ts'
import { isFullName } from './manifest.ts'
import { entries } from './pages.ts'
import { inRepository, onIssue, pathOf } from './repository.ts'
import { Issue, Issues } from './schema.ts'

/** What we store about an issue: where it is, and the id of our comment on it. */
const Data = z.object({
  repository: z.string().check(z.refine(isFullName)),
  number: z.int().check(z.positive()),
  comment: z.optional(z.nullable(z.int())),
})
type Place = { repository: string; number: number; comment: number | null }

/** GitHub's words for why an issue was closed. */
const REASONS: Readonly<Record<string, string>> = {
  completed: 'Completed',
  not_planned: 'Not planned',
  duplicate: 'Duplicate',
}

/** Where a stored item is. */
export function placeOf({ data }: Pick<RemoteItem, 'data'>): Place {
  const parsed = Data.safeParse(data)
  if (!parsed.success)
    throw new Rejected('The repository and number of the issue are not known: push the insight again')
  return { ...parsed.data, comment: parsed.data.comment ?? null }
}

/** The path of an issue in the API. */
export const issuePath = ({ repository, number }: Pick<Place, 'repository' | 'number'>) =>
  `${pathOf(repository)}/issues/${number}`

/** `name`: the reason for closing an issue, as people see it. Not planned and duplicate count as declined. */
export function statusOf({ state, state_reason: reason }: Issue): Pick<RemoteStatus, 'state' | 'name' | 'declined'> {
  if (state !== 'closed') return { state: 'open', name: null }
  const declined = reason === 'not_planned' || reason === 'duplicate'
  return { state: 'closed', name: REASONS[reason ?? ''] ?? null, ...(declined ? { declined } : {}) }
}

/** An issue as the item that an insight is stored with. `comment`: the id of our comment on it; null without one. */
export function remoteOf(issue: Issue, comment: number | null): RemoteItem {
  const { state, name, ...declined } = statusOf(issue)
  return {
    id: String(issue.id),
    url: issue.html_url,
    label: `#${issue.number}`,
    title: issue.title,
    status: state,
    statusName: name,
    ...declined,
    data: { ...currentPlace(issue), ...(comment === null ? {} : { comment }) },
  }
}

/** Where GitHub says that an issue is, which differs from where we requested it after a transfer. */
export function currentPlace({ repository_url, number }: Issue): Pick<Place, 'repository' | 'number'> {
  return { repository: repository_url.split('/').slice(-2).join('/'), number }
}

/**
 * Reads the issue of a stored item, also where it was transferred. `ItemGone` where it is no longer there, or another issue has its
 * address because a repository of the same name replaced its own: that one must not be changed.
 */
export async function readIssue(
  context: Context,
  { id, repository, number }: Pick<Place, 'repository' | 'number'> & { id: string },
): Promise<Issue> {
  const asked = { repository, number }
  const issue = await onIssue(context, repository, () =>
    call(context, { name: 'issues.get', path: issuePath(asked), schema: Issue }),
  )
  // A transfer changes the id, but the address with it.
  const isMoved = issuePath(currentPlace(issue)).toLowerCase() !== issuePath(asked).toLowerCase()
  if (String(issue.id) !== id && !isMoved) {
    throw new ItemGone('The repository of the issue was replaced on GitHub by another one with the same name')
  }
  return issue
}

/** The issues that an account created in a repository, or everyone's, newest first, closed ones included. */
export async function* listIssues(
  context: Context,
  repository: string,
  { creator, limit }: { creator: string | null; limit: number },
): AsyncGenerator<Issue> {
  const query = { creator, state: 'all', sort: 'created', direction: 'desc' }
  const read = (page: Readonly<Record<string, number>>) =>
    inRepository(() =>
      call(context, {
        name: 'issues.listForRepo',
        path: `${pathOf(repository)}/issues`,
        query: { ...query, ...page },
        schema: Issues,
      }),
    )
  for await (const issue of entries(read, limit)) if (issue.pull_request === undefined) yield issue
}
