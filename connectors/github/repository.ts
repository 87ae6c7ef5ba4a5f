import type { Context } from '../connector.ts'
import { ItemGone, Rejected } from '../kit/errors.ts'
import { call } from './client.ts'
import { Refusal } from './refusal.ts'
import { Repository } from './schema.ts'

const GONE = 'The issue no longer exists on GitHub, or is in a repository that the sign-in may not read'
const NO_REPOSITORY =
  'The repository is no longer on GitHub, or the sign-in may not use it: give it access, or choose another one'

/** The path of a repository in the API. `repository` is `owner/name`. */
export const pathOf = (repository: string) => `/repos/${repository}`

/** Reads a repository. `Rejected` where it does not exist or is hidden from the sign-in. */
export function readRepository(context: Context, repository: string): Promise<Repository> {
  return inRepository(() => call(context, { name: 'repos.get', path: pathOf(repository), schema: Repository }))
}

/** Requests about a repository: a 404 means that it is out of reach, or that the sign-in may not do this in it. */
export async function inRepository<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isLost = error instanceof Refusal && (error.why === 'missing' || error.why === 'moved')
    throw isLost ? new Rejected(NO_REPOSITORY, { ledger: ledgerOf(error) }) : error
  }
}

/**
 * Reads one issue. `ItemGone` where it was deleted or is in another repository out of reach. A repository that is out of reach
 * itself is `Rejected`: a right that was removed can be given again.
 */
export async function onIssue<T>(context: Context, repository: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || !['missing', 'deleted', 'moved'].includes(error.why)) throw error
    if (error.why === 'missing') await readRepository(context, repository)
    throw new ItemGone(GONE, { ledger: ledgerOf(error) })
  }
}

/** The ledger entry for a failure that replaces a refusal, whose message it gets. */
export const ledgerOf = ({ ledger }: Refusal) => ledger && { ...ledger, error: null }
