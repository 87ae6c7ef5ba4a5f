/** The database and the migration files do not match; nothing was changed. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}
