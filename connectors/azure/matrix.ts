import type { MatrixRow } from '../kit/matrix-row.ts'

export const matrix: MatrixRow = {
  1: [
    'sign-in: a personal access token',
    'sign-in: signing in with Microsoft Entra',
    'client: a refusal > of workitems.create names the permission that is missing',
  ],
  2: [
    'refresh: the app > refuses the tenant',
    'sign-in: a personal access token > {"organization":"https://evil.example.com/',
    'server: the address of a collection in the form',
    'server: a stored version that is not known',
  ],
  3: ['refresh: a sign-in that ends'],
  11: ['client: the limits of Azure DevOps'],
  12: ['client: a refusal'],
  13: ['receive: receiving', 'events: the events of service hooks'],
  14: ['subscriptions: the subscription', 'events: the events of service hooks > that are lost are found by polling'],
  15: ['tracker: finding a work item'],
  16: [],
  17: [
    'update: updating a work item > says in one comment that a closed item was mentioned again',
    'update: updating a work item > replaces its description',
    'update: updating a work item > writes the comment again',
  ],
  18: [
    'required-fields: the fields to choose',
    'required-fields: the values of required fields',
    'required-fields: a type with required fields',
  ],
  19: [
    'update: updating a work item > reports an item that is',
    'update: updating a work item > keeps an item in its own project',
    'tracker: reading states > takes nothing for gone where its project is out of reach',
    'tracker: reading states > follows an item to another project',
    'client: a refusal > of workitems.create names the permission that is missing',
  ],
  20: [
    'events: the events of service hooks > tell of items that were closed',
    'update: updating a work item > reopens',
    'update: updating a work item > comments where a rule',
    'tracker: reading states > goes by the category of the state',
  ],
  21: ['client: the limits of Azure DevOps > lose nothing', 'client: the limits of Azure DevOps > hold for every task'],
  22: ['../sandbox/azure/description: Azure DevOps’ official descriptions'],
  23: ['client: a refusal > has no secret in the ledger', 'subscriptions: the subscription > is removed'],
}
