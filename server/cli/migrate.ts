import { withInstallation } from './installation.ts'

/** Brings the database up to date: opening an installation as the owner of its tables does that. */
export async function migrateNow(): Promise<void> {
  await withInstallation(async () => {
    process.stdout.write('The database is up to date.\n')
  })
}
