import { describe, expect, it } from 'vitest'
import { preview } from './preview.ts'
import { sideOf } from './sides.ts'
import { options, readAll } from './testing.ts'

const said = [
  ['The export of invoices stops at page two', 'customer'],
  ['Sorry about that, we are looking into it', 'agent'],
  ['It still stops, with a blank page', 'customer'],
  ['This is fixed in the new version', 'agent'],
] as const
const fileOf = (column: string, cells: { customer: string; agent: string }) =>
  ['id,thread,author,text,'.concat(column)]
    .concat(said.map(([text, side], at) => `m${at},t1,${side === 'agent' ? 'Ines' : 'Bo'},"${text}",${cells[side]}`))
    .join('\n')
const rolesOf = async (text: string, more = {}) =>
  (await readAll(text, 'a.csv', more)).items.map(({ role }) => role ?? 'customer')

describe('a column that tells who wrote a row', () => {
  it.each([
    ['role', { customer: 'user', agent: 'assistant' }],
    ['author_role', { customer: 'Customer', agent: 'Support agent' }],
    ['Sender Type', { customer: 'end-user', agent: 'staff' }],
    ['author_type', { customer: 'lead', agent: 'admin' }],
    ['direction', { customer: 'inbound', agent: 'outbound' }],
    ['inbound', { customer: 'True', agent: 'False' }],
    ['is_incoming', { customer: '1', agent: '0' }],
    ['from_agent', { customer: 'false', agent: 'true' }],
    ['isStaff', { customer: 'no', agent: 'yes' }],
    ['sender', { customer: 'Customer', agent: 'Agent' }],
  ])('is recognised: %s', async (column, cells) => {
    const file = fileOf(column, cells)
    const { mapping } = await preview(Buffer.from(file), options('a.csv'))
    expect(mapping).toMatchObject({ role: column, author: 'author', text: 'text', thread: 'thread' })
    expect(await rolesOf(file)).toEqual(said.map(([, side]) => side))
  })

  it.each([
    ['of job titles', 'role', { customer: 'Accountant', agent: 'Designer' }],
    ['of rights in the product', 'role', { customer: 'member', agent: 'admin' }],
    ['that names no customer, as in a survey of agents', 'role', { customer: 'agent', agent: 'agent' }],
    ['that says something else', 'resolved', { customer: 'true', agent: 'false' }],
  ])('is not one %s', async (_, column, cells) => {
    const file = fileOf(column, cells)
    expect((await preview(Buffer.from(file), options('a.csv'))).mapping.role).toBeUndefined()
    expect(await rolesOf(file)).toEqual(said.map(() => 'customer'))
  })

  it('can be chosen, and left out', async () => {
    const file = fileOf('answered', { customer: 'no', agent: 'yes' })
    const mapping = { text: 'text', thread: 'thread', id: 'id' }
    expect(await rolesOf(file, { mapping: { ...mapping, role: 'answered' } })).toEqual(said.map(([, side]) => side))
    expect(await rolesOf(fileOf('role', { customer: 'user', agent: 'agent' }), { mapping })).toEqual(
      said.map(() => 'customer'),
    )
  })

  it('is recognised in JSON and in the exports of known products', async () => {
    const lines = said.map(([text, side]) =>
      JSON.stringify({ text, from: { type: side === 'agent' ? 'admin' : 'user' } }),
    )
    const { mapping } = await preview(Buffer.from(lines.join('\n')), options('a.jsonl'))
    expect(mapping.role).toBe('from.type')
    const intercom = ['conversation_id,message_body,message_author_type,conversation_started_at']
      .concat(said.map(([text, side]) => `7,"${text}",${side === 'agent' ? 'admin' : 'user'},2026-05-01`))
      .join('\n')
    const found = await preview(Buffer.from(intercom), options('a.csv'))
    expect([found.preset, found.mapping.role]).toEqual(['Intercom', 'message_author_type'])
  })
})

it('a cell that says nothing known is a customer’s', () => {
  expect(sideOf('role', '')).toBeNull()
  expect(sideOf('role', 'somebody else')).toBeNull()
  expect(sideOf('inbound', 'maybe')).toBeNull()
})
