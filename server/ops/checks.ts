/** `minutes`: a check that takes longer is stopped and has failed. */
type Check = { name: string; about: string; minutes: number }

/** The checks, in the order of issue and of run time; each is the script `checks/<name>.ts`. */
export const checks: readonly Check[] = [
  { name: 'restore', about: 'a good backup restores 20 of 20 times at 0, 40 and 200 ms', minutes: 60 },
  { name: 'restore-large', about: 'a backup of 1 GB restores', minutes: 120 },
  { name: 'bad-backups', about: 'a bad file is refused in one sentence and changes nothing', minutes: 10 },
  { name: 'pgbackrest', about: 'full backup, WAL archiving and point-in-time restore, as documented', minutes: 15 },
  { name: 'scheduled-backups', about: 'the private database is backed up daily, a full disk included', minutes: 15 },
]
