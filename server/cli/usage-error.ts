/** A command was used wrongly: the message explains why, and the process exits with 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
