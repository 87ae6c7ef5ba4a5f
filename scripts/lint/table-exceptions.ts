/** Files that may hold SQL about any table, each with the reason. */
export const exempt: readonly { files: RegExp; why: string }[] = [
  { files: /\.test\.tsx?$/, why: 'tests put rows in place and look at what was stored' },
  { files: /(^|\/)testing\.ts$/, why: 'the same, for several tests' },
  { files: /^server\/faults\//, why: 'checks of the whole database after kills and under load' },
  { files: /^server\/ops\//, why: 'checks of whole installations: restores, failover, poolers' },
  { files: /^server\/upgrade\//, why: 'checks that migrations keep the rows of every table' },
  { files: /^(bench|e2e)\//, why: 'fill the database for measurements and for browser tests' },
  { files: /^scripts\/lint\//, why: 'the rules name what they look for' },
  { files: /^server\/features\/backup\//, why: 'a backup reads every table, a restore writes every table' },
]

/** Files that are not converted yet. The lists only shrink: a test fails for an entry that is no longer needed. */
export const unconverted: {
  /** Files with SQL that are not stores. */
  misplaced: readonly string[]
  /** Tables of other owners that a file names, by file. */
  foreign: Readonly<Record<string, readonly string[]>>
} = {
  misplaced: [],
  foreign: {},
}
