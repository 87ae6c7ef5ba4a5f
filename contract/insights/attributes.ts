import * as z from 'zod/mini'
import { route } from '../route.ts'

/** How many values of a name can be filtered by. A name with more is not offered. */
export const MAX_ATTRIBUTE_VALUES = 200

/** How many characters a name and a value that can be filtered by have at most. */
export const MAX_ATTRIBUTE_LENGTH = 100

/** The parameter of an address, or of a call, with the chosen values of attributes. */
export const ATTRIBUTES_PART = 'attributes'

/**
 * Chosen values by name. A message passes if it has one of the values of each name. Names and values are compared without case and surrounding
 * space.
 */
export type ChosenAttributes = ReadonlyMap<string, readonly string[]>

/** The values that a text such as `rating=1&rating=2&plan=Pro` names, in the encoding of a query string. Parts without a name or a value name none. */
export function readAttributes(text: string): ChosenAttributes {
  const chosen = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === '' || value === '') continue
    const values = chosen.get(name) ?? []
    if (!values.includes(value)) values.push(value)
    chosen.set(name, values)
  }
  return chosen
}

/** The text that `readAttributes` reads; '' for none. */
export function writeAttributes(chosen: ChosenAttributes): string {
  const text = new URLSearchParams()
  for (const [name, values] of chosen) for (const value of values) text.append(name, value)
  return text.toString()
}

/** `messages`: how many messages have the value. */
export const AttributeValue = z.object({ value: z.string(), messages: z.int() })

/**
 * An attribute of messages, such as a rating, with all its values: numbers in their order, otherwise those with most messages first. `messages`: how
 * many have one of them.
 */
export const Attribute = z.object({ name: z.string(), messages: z.int(), values: z.array(AttributeValue) })
export type Attribute = z.infer<typeof Attribute>

/**
 * Those with few values, some of them repeated: no texts, ids, addresses or links. The ones of most messages first, at most 30. `complete`: false
 * while older messages are still being read.
 */
export const listAttributes = route({
  name: 'listAttributes',
  summary: 'The attributes of messages that insights and reports can be filtered by, with their values',
  method: 'GET',
  path: '/api/attributes',
  access: 'viewer',
  scope: 'read',
  reply: z.object({ attributes: z.array(Attribute), complete: z.boolean() }),
  errors: [],
})

/**
 * `attributes`: chosen values in the encoding of a query string, such as `rating=1&rating=2&plan=Pro`: of each name one has to match, in any of the
 * insight's messages.
 */
export const listAttributeInsights = route({
  name: 'listAttributeInsights',
  summary: 'The shown insights with a mention whose message has one of the chosen values of attributes',
  method: 'GET',
  path: '/api/attributes/insights',
  access: 'viewer',
  scope: 'read',
  query: z.object({ attributes: z.string().check(z.maxLength(2_000)) }),
  reply: z.object({ issue_numbers: z.array(z.int()) }),
  errors: ['invalid_input'],
  example: () => ({ query: { attributes: 'rating=1' } }),
})
