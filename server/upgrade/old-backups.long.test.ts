import { testOldBackups, versions } from './old-backups.ts'

testOldBackups(versions)
