import { Rejected } from './errors.ts'

/** What became of an item's comment. `notice`: why the update went on without it, as text for the delivery. */
export type CommentOutcome<T> = { comment: T; notice: string | null }

/**
 * Writes the comment of an item whose text is up to date already. Where the provider refuses it, such as for a missing permission, the
 * update continues with `before`, what was known of the comment, and says why. Any other failure is thrown, and so is a refusal that is
 * about more than the comment (`isAboutMore`).
 */
export async function commentOrNotice<T>(
  before: T,
  write: () => Promise<T>,
  isAboutMore: (error: Rejected) => boolean = () => false,
): Promise<CommentOutcome<T>> {
  try {
    return { comment: await write(), notice: null }
  } catch (error) {
    if (!(error instanceof Rejected) || error.gone || isAboutMore(error)) throw error
    return { comment: before, notice: `The item is up to date, but without its comment. ${error.message}` }
  }
}
