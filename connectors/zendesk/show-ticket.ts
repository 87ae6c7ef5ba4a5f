import type { Context } from '../connector.ts'
import { call, ZendeskRefusal } from './client.ts'
import { OneTicket, type Ticket } from './schema.ts'

/** One ticket as it is now; null when it is not found. */
export async function showTicket(context: Context, id: number): Promise<Ticket | null> {
  try {
    return (await call(context, { name: 'tickets', path: `/api/v2/tickets/${id}`, schema: OneTicket })).data.ticket
  } catch (error) {
    if (error instanceof ZendeskRefusal && error.status === 404) return null
    throw error
  }
}
