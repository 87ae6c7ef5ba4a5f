import type { MatrixRow } from '../kit/matrix-row.ts'

export const matrix: MatrixRow = {
  1: [
    'api-token: an API token',
    'sign-in: signing in with OAuth',
    'client: credentials > without a scope say what it is missing for',
  ],
  2: ['api-token: the form', 'choices: with OAuth > sends nothing to the site'],
  3: ['sign-in: a sign-in that ends'],
  11: ['client: a limit'],
  12: ['client: a refusal', 'status: reading states > takes nothing for gone when Jira fails'],
  13: ['receive: a delivery', 'receive: the token of a delivery', 'events: the events of a webhook'],
  14: ['subscriptions: the subscription', 'events: the events of a webhook > may be lost: polling finds'],
  15: ['find: finding an issue'],
  16: ['find: finding an issue > is not trusted for a minute, while the search lags'],
  17: ['update: an issue that was closed', 'update: updating an issue > replaces its description in two requests'],
  18: [
    'required-fields: what a type requires',
    'create-issue: creating an issue > fills every required field',
    'create-issue: creating an issue > names fields that became required, once',
    'verify: verifying > names fields that became required',
  ],
  19: [
    'update: updating an issue > reports one that is gone',
    'update: updating an issue > follows an issue that was moved',
    'update: updating an issue > says that the right to edit was removed',
    'create-issue: creating an issue > says that the right to create issues was removed',
    'verify: verifying > reports a project that is gone',
    'sites: issues of several sites > are gone where their site is no longer allowed',
  ],
  20: [
    'reopen: reopening',
    'events: the events of a webhook > report issues that were closed',
    'events: the events of a webhook > do not echo',
  ],
  21: [
    'client: a limit > of an hour drops nothing and creates nothing twice',
    'client: credentials > that ended are reported',
  ],
  22: ['../sandbox/jira/description: Jira’s official description'],
  23: [
    'client: credentials > are in no ledger entry',
    'client: a refusal > has its status and the ids of the fields, and repeats nothing of the rest',
    'update: an issue that was closed > records nothing of the comments that people wrote',
    'subscriptions: the subscription > is removed',
  ],
}
