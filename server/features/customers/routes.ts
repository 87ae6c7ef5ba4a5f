import { connectors } from '@groundswell/connectors/index.ts'
import { Rejected } from '@groundswell/connectors/kit/errors.ts'
import { type CustomerColumns, removeCustomer, uploadCustomers } from '@groundswell/contract/customers.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { countKnown, storeList, takeOffList } from './list-store.ts'
import { oneListAtATime } from './list-turns.ts'
import { guessColumns, readList } from './read-list.ts'

const MAX_SAMPLE = 5

/** Called in the transaction that changed customers. */
export type CustomerHooks = {
  /** The list of customers has changed: messages and counts must be processed again. */
  changed(tx: Tx, workspaceId: string): Promise<void>
}

/** The calls that change the list of customers. */
export function customerRoutes(services: Services, hooks: CustomerHooks): Handler[] {
  return [
    handle(uploadCustomers, async ({ caller: { workspaceId }, body }) => {
      const table = readTable(body.text)
      const mapping = body.columns ?? guessColumns(table.columns)
      checkMapping(mapping, table.columns)
      const turns = services.caches.of(oneListAtATime)
      const { listed, rejected, rejectedCount } = await turns.take(workspaceId, () => readList(table, mapping))
      const counts = await inWorkspace(services.db, workspaceId, async (tx) => {
        if (body.dry_run || listed.length === 0) return countKnown(tx, workspaceId, listed)
        const stored = await storeList(tx, workspaceId, listed, mapping)
        await hooks.changed(tx, workspaceId)
        return stored
      })
      return {
        ...counts,
        rejected,
        rejected_count: rejectedCount,
        columns: [...table.columns],
        mapping,
        sample: listed
          .slice(0, MAX_SAMPLE)
          .map(({ name, domain, plan, revenue, region }) => ({ name, domain, plan, revenue, region })),
      }
    }),

    handle(removeCustomer, async ({ caller: { workspaceId }, params: { id } }) => {
      await inWorkspace(services.db, workspaceId, async (tx) => {
        if (!(await takeOffList(tx, workspaceId, id))) throw new ContractError('not_found', 'There is no such customer')
        await hooks.changed(tx, workspaceId)
      })
      return { id }
    }),
  ]
}

const invalid = (message: string) => new ContractError('invalid_input', message, { 'body.text': message })

function readTable(text: string) {
  const reader = connectors.flatMap(({ file }) => file ?? [])[0]
  if (!reader) throw new Error('no connector reads files')
  try {
    return reader.table(text, 'customers.csv')
  } catch (error) {
    if (error instanceof Rejected) throw invalid(error.message)
    throw error
  }
}

function checkMapping(mapping: CustomerColumns, columns: readonly string[]): void {
  for (const column of Object.values(mapping)) {
    if (column !== undefined && !columns.includes(column))
      throw invalid(`The list has no column ${JSON.stringify(column)}`)
  }
  if (mapping.domain === undefined && mapping.name === undefined) {
    throw invalid('No column is called “domain” or “name”: one of them must identify the customer')
  }
}
