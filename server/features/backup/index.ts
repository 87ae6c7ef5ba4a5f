export { BackupError } from './format.ts'
export { type Restored, restoreBackup } from './restore.ts'
export { writeBackup } from './write.ts'
