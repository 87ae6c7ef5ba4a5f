import { type MatrixRow, notApplicable } from '../kit/matrix-row.ts'

export const matrix: MatrixRow = {
  1: ['sign-in: an API token', 'sign-in: signing in with OAuth', 'tracker: verifying > refuses a list with the right'],
  2: notApplicable('ClickUp has fixed hosts, and nothing is asked for before signing in'),
  3: notApplicable('ClickUp’s tokens do not end'),
  11: ['client: the limits of ClickUp'],
  12: ['client: a refusal', 'read-status: reading states > fails as a whole when a limit is reached'],
  13: ['receive: receiving', 'events: the events of a webhook'],
  14: [
    'subscriptions: the subscription',
    'events: the events of a webhook > that are forged are refused, and one that is lost is found by polling',
  ],
  15: ['tracker: finding a task'],
  16: ['tracker: finding a task > says for how long a list may not show it'],
  17: ['update: updating a task'],
  18: ['custom-fields: required custom fields of a list'],
  19: [
    'update: updating a task > reports one that is',
    'update: updating a task > counts nothing as gone while the workspace is out of reach',
    'tracker: creating a task > fails for a list that the sign-in may not use',
    'tracker: verifying > notices what is missing',
    'tracker: verifying > refuses a list with the right',
    'events: the events of a webhook > say that a deleted task is gone, and that a moved one',
  ],
  20: [
    'events: the events of a webhook > report tasks that were closed, reopened and deleted, and nothing else',
    'events: the events of a webhook > of another kind change nothing',
    'update: updating a task > reopens',
  ],
  21: ['client: the limits of ClickUp > end with the minute'],
  22: ['../sandbox/clickup/description: ClickUp’s official description'],
  23: [
    'subscriptions: the subscription > leaves no secret of a webhook in a failure',
    'subscriptions: the subscription > is removed',
    'sign-in: signing in with OAuth > sends its client secret in the body only',
    'events: the events of a webhook > contain no text of a task',
  ],
}
