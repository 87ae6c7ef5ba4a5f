import { type Customer, getCustomer, listCustomers } from '@groundswell/contract/customers.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { foldText, splitSearch } from '@groundswell/contract/values/fold-text.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { isFilled } from '../../customers/index.ts'
import { type CustomerRow, readCustomer, readCustomers, readInsightsOf } from './list-store.ts'

const MAX_INSIGHTS = 10_000

/** The calls that show customers with what they said. */
export function customerListRoutes(services: Services): Handler[] {
  return [
    handle(listCustomers, ({ caller: { workspaceId }, query: { words, ...page } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const asked = splitSearch(words ?? '').map(({ text }) => foldText(text))
        const { rows, total } = await readCustomers(tx, workspaceId, { words: asked, ...page })
        return { customers: rows.map(view), total, complete: await isFilled(tx, workspaceId) }
      }),
    ),

    handle(getCustomer, ({ caller: { workspaceId }, params: { id } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const row = await readCustomer(tx, workspaceId, id)
        if (!row) throw new ContractError('not_found', 'There is no such customer')
        return { customer: view(row), issue_numbers: await readInsightsOf(tx, workspaceId, id, MAX_INSIGHTS) }
      }),
    ),
  ]
}

function view({ key, attributes, ...row }: CustomerRow): Customer {
  return {
    ...row,
    domain: key.startsWith('name:') ? null : key,
    attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })),
  }
}
