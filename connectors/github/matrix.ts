import { type MatrixRow, notApplicable } from '../kit/matrix-row.ts'

export const matrix: MatrixRow = {
  1: [
    'sign-in: a personal access token',
    'install: installing the app',
    'tracker: creating an issue > names the missing permission',
    'tracker: works for an installation as for a token',
  ],
  2: [
    'install: installing the app > asks where it is installed',
    'client: redirects > sends no credentials to',
    'server: the address of a server in the form',
  ],
  3: ['sign-in: renewing'],
  11: ['client: limits'],
  12: ['client: refusals'],
  13: ['receive: a signed event', 'receive: what is not from GitHub', 'events: events of an installation'],
  14: [
    'events: events of an installation > may be lost: the next reading of states finds the same',
    'events: events of an installation > are handled again after an outage',
  ],
  15: ['find: finding an issue'],
  16: ['find: finding an issue > is null while the list lags behind'],
  17: ['update: the comment on a closed issue', 'update: updating an issue > reads it, replaces its text'],
  18: notApplicable('GitHub’s API has no required fields besides the title'),
  19: [
    'update: an issue that is elsewhere',
    'read-status: reading states > follows an issue to another repository',
    'read-status: reading states > reports',
    'tracker: creating an issue > says that the repository',
    'tracker: verifying > fails with the permission',
  ],
  20: [
    'events: events of an installation > report what is closed',
    'events: events of an installation > are not caused by our own updates',
    'update: updating an issue > reopens',
    'update: updating an issue > sends no state unless it is to be reopened',
  ],
  21: [
    'client: limits > honours the content limit, and creates the rest after it',
    'sign-in: renewing > is only postponed by a limit',
  ],
  22: ['../sandbox/github/description: GitHub’s official description'],
  23: [
    'client: refusals > keeps the credentials out of messages and the ledger',
    'client: refusals > names fields, but nothing that could be a value',
    'sign-in: disconnecting',
    'receive: a signed event > closed names the issue and whose it is, not its text',
  ],
}
