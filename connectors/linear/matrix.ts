import { type MatrixRow, notApplicable } from '../kit/matrix-row.ts'

export const matrix: MatrixRow = {
  1: ['sign-in: an API key', 'sign-in: signing in with OAuth', 'update: updating an issue > names a missing scope'],
  2: notApplicable('Linear has one host, and nothing is asked for before signing in'),
  3: ['sign-in: a sign-in that ends'],
  11: ['client: the limits of Linear'],
  12: ['client: a refusal', 'extras: passes on a failure that may not occur again'],
  13: ['receive: receiving', 'events: the events of a webhook'],
  14: ['subscriptions: the subscription', 'events: the events of a webhook > are read again, so that late, repeated'],
  15: [
    'tracker: creating an issue > again, returns the issue that exists',
    'tracker: creating an issue > uses the marker as its id',
  ],
  16: notApplicable('an issue is looked up by its id, which we choose'),
  17: [
    'update: updating an issue > says in one comment',
    'update: updating an issue > replaces its description',
    'tracker: creating an issue > links back with one attachment, however often it is updated',
    'extras: writes a comment with one request',
    'customer-requests: adds one for each company',
  ],
  18: notApplicable('Linear has no required fields besides the team and the title'),
  19: [
    'tracker: reading states',
    'tracker: verifying > notices what is missing',
    'tracker: creating an issue > again after it was deleted',
    'update: updating an issue > names a missing scope',
    'events: the events of a webhook > of an issue that was deleted',
  ],
  20: [
    'events: the events of a webhook > tell of issues that were closed',
    'events: the events of a webhook > do not echo our own changes',
    'update: updating an issue > reopens',
  ],
  21: ['client: loses nothing to a limit', 'client: the limits of Linear > stop nothing while there is budget'],
  22: ['../sandbox/linear/description: Linear’s official schema'],
  23: [
    'sign-in: signing in with OAuth > sends its client secret as Linear documents',
    'sign-in: a sign-in that ends > is revoked at the end',
    'subscriptions: the subscription > is removed',
    'events: the events of a webhook > contain no text of an issue',
  ],
}
