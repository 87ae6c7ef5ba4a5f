import type { Context } from '../connector.ts'
import type { InsightDocument } from '../kit/documents/insight-document.ts'
import { isConnectorFailure, Rejected } from '../kit/errors.ts'
import { call } from './client.ts'
import { derivedId } from './derived-id.ts'
import { settingsOf } from './manifest.ts'
import { CUSTOMER_NEED_CREATE, CUSTOMERS, CUSTOMERS_PAGE } from './operations.ts'
import { NotAllowed } from './refusal.ts'

/**
 * Adds a customer request to the issue for each company among those who wrote, where Linear has exactly one customer of that name and the
 * owner chose so. It contains no words of a customer, which could not be deleted there later, and no customer is created. Returns the ids
 * of the customers with a request: those of `requested`, and those added. A failure only costs the requests, until the next update.
 */
export async function requestForCustomers(
  context: Context,
  issueId: string,
  { companies, link, marker }: InsightDocument,
  requested: readonly string[],
): Promise<string[]> {
  if (!settingsOf(context).customer_requests?.length || companies.length === 0) return [...requested]
  const done = new Set(requested)
  try {
    for (const customerId of await customersNamed(context, companies)) {
      if (done.has(customerId)) continue
      const body = link === null ? 'Asked for in customer feedback.' : `Asked for in [customer feedback](${link}).`
      await createRequest(context, { id: derivedId('request', marker, customerId), issueId, customerId, body })
      done.add(customerId)
    }
  } catch (error) {
    if (!isConnectorFailure(error)) throw error
    context.log.warn({ kind: error.kind }, 'the customer requests of an issue could not be added')
  }
  return [...done]
}

/** Ids of the customers with these names. A name that several customers have names none of them. */
async function customersNamed(context: Context, names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < names.length; at += CUSTOMERS_PAGE / 2) {
    const part = names.slice(at, at + CUSTOMERS_PAGE / 2)
    const filter = { or: part.map((name) => ({ name: { eqIgnoreCase: name } })) }
    const { customers } = await call(context, CUSTOMERS, { filter })
    const byName = Map.groupBy(customers.nodes, ({ name }) => name.toLowerCase())
    for (const [only, another] of byName.values()) if (only && !another) ids.push(only.id)
  }
  return ids
}

async function createRequest(context: Context, input: Record<string, string>): Promise<void> {
  try {
    await call(context, CUSTOMER_NEED_CREATE, { input })
  } catch (error) {
    // The id is taken: the response of an earlier attempt was lost, or someone removed the request, which is then not added again.
    if (!(error instanceof Rejected) || error instanceof NotAllowed) throw error
    context.log.warn({}, 'a customer request was refused, or exists already')
  }
}
