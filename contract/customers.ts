import * as z from 'zod/mini'
import { BadRow } from './feedback.ts'
import { route } from './route.ts'

/**
 * An organisation whose people gave feedback. `domain`: its e-mail domain, where it is known. `revenue` is an amount without a currency.
 * `messages`: how many are from it; `insights`: how many of them it mentioned. `listed`: it is in a list that a person uploaded. `attributes`: other
 * columns of that list.
 */
export const Customer = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.nullable(z.string()),
  plan: z.nullable(z.string()),
  revenue: z.nullable(z.number()),
  region: z.nullable(z.string()),
  messages: z.int(),
  insights: z.int(),
  listed: z.boolean(),
  attributes: z.array(z.object({ name: z.string(), value: z.string() })),
})
export type Customer = z.infer<typeof Customer>

/** The order of a list of customers. All except the name start with the largest. */
export const CustomerOrder = z.enum(['messages', 'insights', 'revenue', 'name'])
export type CustomerOrder = z.infer<typeof CustomerOrder>

/**
 * `words`: each occurs in the name or the domain, ignoring case, accents and width. `total`: how many these are. `complete`: false while the customers of older messages are still
 * being found.
 */
export const listCustomers = route({
  name: 'listCustomers',
  summary: 'The organisations behind feedback, a page at a time',
  method: 'GET',
  path: '/api/customers',
  access: 'viewer',
  scope: 'read',
  query: z.object({
    words: z.optional(z.string().check(z.maxLength(200))),
    order: z._default(CustomerOrder, 'messages'),
    offset: z._default(z.coerce.number<string | number>().check(z.int(), z.gte(0), z.lte(1_000_000)), 0),
    limit: z._default(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(200)), 50),
  }),
  reply: z.object({ customers: z.array(Customer), total: z.int(), complete: z.boolean() }),
  errors: ['invalid_input'],
})

/** `issue_numbers`: the insights that it mentioned and that are shown, those with most of its mentions first. */
export const getCustomer = route({
  name: 'getCustomer',
  summary: 'One organisation and the insights that it mentioned',
  method: 'GET',
  path: '/api/customers/{id}',
  access: 'viewer',
  scope: 'read',
  params: z.object({ id: z.uuid() }),
  reply: z.object({ customer: Customer, issue_numbers: z.array(z.int()) }),
  errors: ['invalid_input', 'not_found'],
  example: ({ customer }) => ({ params: { id: customer } }),
})

/** Which column of a list has what, by its name. */
export const CustomerColumns = z.object({
  domain: z.optional(z.string()),
  name: z.optional(z.string()),
  plan: z.optional(z.string()),
  revenue: z.optional(z.string()),
  region: z.optional(z.string()),
})
export type CustomerColumns = z.infer<typeof CustomerColumns>

/** Customers of one list, and lines and characters of its file. */
export const MAX_LISTED_CUSTOMERS = 50_000
/** Lines of a file with a list of customers, valid or not. */
export const MAX_LIST_LINES = 200_000
/** Characters of a file with a list of customers. */
export const MAX_LIST_LENGTH = 8_000_000

/**
 * Adds the customers of a list, or updates existing ones, matched by domain, else by name. `columns`: found by their names
 * if left out. `dry_run`: nothing is stored. `rejected`: lines that are left out, the first 200 of `rejected_count`. `sample`: the first customers.
 * One list of a workspace is read at a time; a few wait, any more are refused with `too_many_requests`.
 */
export const uploadCustomers = route({
  name: 'uploadCustomers',
  summary: 'Upload a list of customers as CSV: domain or name, plan, revenue, region',
  method: 'POST',
  path: '/api/customers/list',
  access: 'member',
  bodyLimit: 40_000_000,
  audit: { action: 'customers.listed' },
  body: z.object({
    text: z.string().check(z.minLength(1), z.maxLength(MAX_LIST_LENGTH)),
    columns: z.optional(CustomerColumns),
    dry_run: z.optional(z.boolean()),
  }),
  reply: z.object({
    added: z.int(),
    known: z.int(),
    rejected: z.array(BadRow),
    rejected_count: z.int(),
    columns: z.array(z.string()),
    mapping: CustomerColumns,
    sample: z.array(
      z.object({
        name: z.string(),
        domain: z.nullable(z.string()),
        plan: z.nullable(z.string()),
        revenue: z.nullable(z.number()),
        region: z.nullable(z.string()),
      }),
    ),
  }),
  errors: ['invalid_input', 'payload_too_large', 'too_many_requests'],
  example: () => ({ body: { text: 'domain,plan\nacme.com,Pro' } }),
})

/** What the list said about it is deleted. A customer without messages disappears. */
export const removeCustomer = route({
  name: 'removeCustomer',
  summary: 'Remove a customer from the list; it stays as long as it has messages',
  method: 'DELETE',
  path: '/api/customers/{id}',
  access: 'member',
  audit: { action: 'customer.removed', target: 'id' },
  params: z.object({ id: z.uuid() }),
  reply: z.object({ id: z.string() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ customer }) => ({ params: { id: customer } }),
})
