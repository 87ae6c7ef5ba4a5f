import type { Context } from '../connector.ts'
import { organizationNames, ticketFields } from './directory.ts'
import type { Ticket } from './schema.ts'

/** Longer values are cut, and a ticket has at most this many attributes: they are stored with every comment of it. */
const MAX_LENGTH = 300
const MAX_ATTRIBUTES = 40

/** What Zendesk knows about each ticket: subject, organisation, status, channel, tags, and custom fields by their titles. */
export async function attributesOf(
  context: Context,
  tickets: readonly Ticket[],
  organizations: readonly { id: number; name: string }[],
): Promise<Record<string, string>[]> {
  const ids = tickets.flatMap(({ organization_id }) => organization_id ?? [])
  const names = await organizationNames(context, ids, organizations)
  const hasFields = tickets.some((ticket) => filled(ticket).length > 0)
  const fields = hasFields ? await ticketFields(context) : new Map<number, never>()
  return tickets.map((ticket) => {
    const custom = filled(ticket).map(({ id, value }): [string, string] => {
      const field = fields.get(id)
      const shown = [value].flat().map((one) => field?.options.get(String(one)) ?? String(one))
      return [field?.title ?? `Field ${id}`, shown.join(', ')]
    })
    const own: [string, string | null | undefined][] = [
      ['subject', ticket.subject],
      ['organisation', names.get(ticket.organization_id ?? -1)],
      ['status', ticket.status],
      ['channel', ticket.via?.channel],
      ['tags', ticket.tags?.join(', ')],
    ]
    // A custom field never replaces one of the others.
    const taken = new Set(own.map(([name]) => name))
    const all = [...own, ...custom.filter(([title]) => !taken.has(title))]
    return Object.fromEntries(
      all.flatMap(([name, value]) => (value ? [[name, clean(value)]] : [])).slice(0, MAX_ATTRIBUTES),
    )
  })
}

/** Custom fields with a value. A box that is not ticked has no value. */
function filled({ custom_fields }: Ticket): { id: number; value: unknown }[] {
  const isFilled = (value: unknown) =>
    typeof value === 'string' ? value.trim() !== '' : value === true || typeof value === 'number'
  return (custom_fields ?? [])
    .map(({ id, value }) => ({ id, value }))
    .filter(({ value }) => (Array.isArray(value) ? value.some(isFilled) : isFilled(value)))
}

/** As a database can store it. */
const clean = (text: string) => text.replaceAll('\0', '').slice(0, MAX_LENGTH).toWellFormed().trim()
