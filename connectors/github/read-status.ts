import type { Context } from '../connector.ts'
import { ItemGone, Rejected } from '../kit/errors.ts'
import type { RemoteItem, RemoteStatus } from '../tracker.ts'
import { listIssues, placeOf, readIssue, statusOf } from './issues.ts'
import { settingsOf } from './manifest.ts'
import { Refusal } from './refusal.ts'

/** Up to how many issues are read one by one. */
const FEW = 2
/** A list is read up to here; issues further back are read one by one. */
const MAX_LISTED = 1000

type Wanted = { id: string; repository: string; number: number }

/**
 * The states of items: from the list of the repository's issues, and one by one where the list does not have them. A repository out of
 * reach is an error only when no other one is left; its items stay as they were.
 */
export async function readStatus(context: Context, remotes: readonly RemoteItem[]): Promise<RemoteStatus[]> {
  const wanted = remotes.map((remote) => ({ id: remote.id, ...placeOf(remote) }))
  const statuses: RemoteStatus[] = []
  let refused: Rejected | null = null
  for (const [repository, items] of Map.groupBy(wanted, (item) => item.repository)) {
    try {
      statuses.push(...(await readRepositoryItems(context, repository, items)))
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      refused ??= error
    }
  }
  if (refused && statuses.length === 0) throw refused
  if (refused) context.log.warn({ items: remotes.length - statuses.length }, 'a repository on GitHub is out of reach')
  return statuses
}

async function readRepositoryItems(
  context: Context,
  repository: string,
  items: readonly Wanted[],
): Promise<RemoteStatus[]> {
  const listed = items.length > FEW ? await listStatuses(context, repository, items) : new Map<number, RemoteStatus>()
  const statuses: RemoteStatus[] = []
  for (const item of items) statuses.push(listed.get(item.number) ?? (await readOne(context, item)))
  return statuses
}

/** By number. Stops behind the oldest of the items. Empty where GitHub no longer knows the name of their creator. */
async function listStatuses(
  context: Context,
  repository: string,
  items: readonly Wanted[],
): Promise<Map<number, RemoteStatus>> {
  const byNumber = new Map(items.map((item) => [item.number, item]))
  const oldest = Math.min(...byNumber.keys())
  const found = new Map<number, RemoteStatus>()
  try {
    const own = { creator: settingsOf(context).login, limit: MAX_LISTED }
    for await (const issue of listIssues(context, repository, own)) {
      const item = byNumber.get(issue.number)
      if (item?.id === String(issue.id)) found.set(issue.number, { id: item.id, ...statusOf(issue) })
      if (found.size === byNumber.size || issue.number < oldest) break
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.why !== 'invalid') throw error
  }
  return found
}

/** The state of one issue, followed to another repository if it was transferred. */
async function readOne(context: Context, item: Wanted): Promise<RemoteStatus> {
  try {
    return { id: item.id, ...statusOf(await readIssue(context, item)) }
  } catch (error) {
    if (error instanceof ItemGone) return { id: item.id, state: 'gone', name: null }
    throw error
  }
}
