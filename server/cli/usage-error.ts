/** The person asked for something that cannot be done as asked: the message says why, and the command ends with 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
