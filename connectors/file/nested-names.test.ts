import { expect, it } from 'vitest'
import { preview } from './preview.ts'
import { options, readAll } from './testing.ts'

const listOf = (...people: object[]) =>
  JSON.stringify({
    tickets: people.map((person, at) => ({ id: `t${at}`, message: `It fails again (${at})`, ...person })),
  })

it.each([
  ['customer.name', 'customer.company.name', { customer: { id: 7, name: 'Ada', company: { name: 'Acme' } } }],
  ['user.profile.name', 'user.profile.company', { user: { id: 7, profile: { name: 'Ada', company: 'Acme' } } }],
  ['author.name', 'author.organization.name', { author: { id: 7, name: 'Ada', organization: { name: 'Acme' } } }],
  [
    'requester.display_name',
    'organization.name',
    { requester: { display_name: 'Ada' }, organization: { name: 'Acme' } },
  ],
  ['node.author.login', 'node.author.company', { node: { author: { login: 'Ada', company: 'Acme' } } }],
  [
    'from.emailAddress.name',
    'account.name',
    { from: { emailAddress: { address: 'a@acme.test', name: 'Ada' } }, account: { name: 'Acme' } },
  ],
  [
    'fields.reporter.displayName',
    undefined,
    { fields: { reporter: { displayName: 'Ada' }, assignee: { displayName: 'Bo' } } },
  ],
  [
    'source.author.email',
    undefined,
    { source: { author: { id: 7, email: 'Ada' } }, assignee: { name: 'Bo' }, team: { name: 'B' } },
  ],
  ['user.id', undefined, { user: { id: 'Ada', avatar: { name: 'a.png' } }, agent: { name: 'Bo' } }],
])('%s and %s are recognised as who wrote it, and for which company', async (author, customer, person) => {
  const file = listOf(person, person, person)
  const { mapping } = await preview(Buffer.from(file), options('tickets.json'))
  expect([mapping.author, mapping.customer]).toEqual([author, customer])
  const { items } = await readAll(file, 'tickets.json')
  expect(items[0]).toMatchObject({ author: 'Ada', ...(customer ? { attributes: { organisation: 'Acme' } } : {}) })
})

it.each(['assignee.name', 'author.avatar.name', 'product.name', 'agent.company'])('%s is neither', async (path) => {
  const [outer = '', inner = '', field] = path.split('.')
  const value = field ? { [inner]: { [field]: 'Thing' } } : { [inner]: 'Thing' }
  const { mapping } = await preview(Buffer.from(listOf({ [outer]: value }, { [outer]: value })), options('a.json'))
  expect([mapping.author, mapping.customer]).toEqual([undefined, undefined])
})
