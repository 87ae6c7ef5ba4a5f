import { describe, expect, it } from 'vitest'
import { attributesOf } from './attributes.ts'
import { Conversation } from './schema.ts'

/** The attributes of a conversation as Intercom returns it. */
const attributes = (more: Record<string, unknown>) =>
  attributesOf(
    Conversation.parse({
      id: '503',
      created_at: 1_772_359_200,
      updated_at: 1_772_359_200,
      state: 'open',
      source: { type: 'email', subject: '<p>Printer</p>', body: '<p>Hello</p>' },
      conversation_parts: null,
      ...more,
    }),
  )

describe('the attributes', () => {
  it('have the title of a ticket where the conversation has none, and not its description twice', () => {
    const form = { _default_title_: 'Found a bug', _default_description_: 'It burns' }
    const ticket = { category: 'Customer', ticket_attributes: form }
    expect(attributes({ ticket, custom_attributes: { ...form, Plan: 'pro' } })).toMatchObject({
      title: 'Found a bug',
      Plan: 'pro',
    })
    expect(JSON.stringify(attributes({ ticket, custom_attributes: form }))).not.toMatch(/_default_|It burns/)
    expect(attributes({ title: 'Own', ticket })).toMatchObject({ title: 'Own' })
  })

  it('are subject, title, company, status, channel, tags, topics and custom attributes', () => {
    const read = attributes({
      title: 'Printer burns',
      tags: {
        type: 'tag.list',
        tags: [
          { id: '1', name: 'bug' },
          { id: 2, name: 'hardware' },
        ],
      },
      topics: { type: 'topic.list', topics: [{ id: 1, name: 'Fire' }] },
      company: { type: 'company', id: 'c', name: 'Acme' },
      custom_attributes: { Plan: 'pro', Seats: 9, Paid: true, Trial: false, Order: { type: 'order', instances: [] } },
    })
    expect(read).toEqual({
      subject: 'Printer',
      title: 'Printer burns',
      company: 'Acme',
      status: 'open',
      channel: 'email',
      tags: 'bug, hardware',
      topics: 'Fire',
      Plan: 'pro',
      Seats: '9',
      Paid: 'true',
    })
  })

  it('are cut, never replaced by a custom one, and at most 40', () => {
    const custom = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`n${index}`, 'x']))
    const read = attributes({
      custom_attributes: { status: 'mine', '': 'x', Long: `${'v'.repeat(400)}\0`, ...custom },
    })
    expect(read).toMatchObject({ status: 'open', Long: 'v'.repeat(300) })
    expect(Object.keys(read)).toHaveLength(40)
  })

  it('that are malformed are left out: Intercom sends an empty object where there is none', () => {
    const odd = { topics: {}, tags: 'x', company: 7, custom_attributes: [], title: 1, statistics: 'x' }
    expect(attributes(odd)).toEqual({ subject: 'Printer', status: 'open', channel: 'email' })
  })
})
