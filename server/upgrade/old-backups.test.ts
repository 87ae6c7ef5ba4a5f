import { testOldBackups, versions } from './old-backups.ts'

/** Each takes seconds. `old-backups.long.test.ts` restores those of every version. */
const EVERY = 8

testOldBackups(versions.filter((_, index) => index % EVERY === 0 || index === versions.length - 1))
