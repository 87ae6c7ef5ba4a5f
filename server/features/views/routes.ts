import { ContractError } from '@groundswell/contract/errors.ts'
import {
  createView,
  deleteView,
  listViews,
  MAX_VIEWS,
  type SavedView,
  updateView,
  viewQuery,
} from '@groundswell/contract/views.ts'
import { knownPerson } from '../../auth/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Caller, type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import {
  deleteOwnView,
  findView,
  insertView,
  isNameTaken,
  lockViews,
  type ViewRow,
  viewsFor,
  writeView,
} from './store.ts'

/** The calls on saved views. */
export function viewRoutes(services: Services): Handler[] {
  return [
    handle(listViews, ({ caller }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const rows = await viewsFor(tx, caller.workspaceId, caller.accountId)
        const names = await namesOf(tx, caller, rows)
        return { views: rows.map((row) => viewOf(row, caller, names.get(row.accountId) ?? '')) }
      }),
    ),

    handle(createView, ({ caller, body }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { workspaceId, accountId } = caller
        await lockViews(tx, workspaceId, accountId)
        await requireFree(tx, caller, body.name, null)
        const query = viewQuery(new URLSearchParams(body.query))
        const row = { accountId, name: body.name, query, shared: body.shared, updatedAt: services.now() }
        const id = await insertView(tx, workspaceId, row, MAX_VIEWS)
        if (id === null) {
          throw new ContractError('conflict', `You already have ${MAX_VIEWS} views: delete one that you do not use`)
        }
        return viewOf({ ...row, id }, caller, caller.name)
      }),
    ),

    handle(updateView, ({ caller, params, body }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        await lockViews(tx, caller.workspaceId, caller.accountId)
        const known = await findView(tx, caller.workspaceId, caller.accountId, params.view_id)
        if (known?.accountId !== caller.accountId) throw noView()
        if (body.name !== undefined) await requireFree(tx, caller, body.name, known.id)
        const row = {
          ...known,
          name: body.name ?? known.name,
          query: body.query === undefined ? known.query : viewQuery(new URLSearchParams(body.query)),
          shared: body.shared ?? known.shared,
          updatedAt: services.now(),
        }
        await writeView(tx, caller.workspaceId, row)
        return viewOf(row, caller, caller.name)
      }),
    ),

    handle(deleteView, ({ caller, params: { view_id } }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        if (!(await deleteOwnView(tx, caller.workspaceId, caller.accountId, view_id))) throw noView()
        return { view_id }
      }),
    ),
  ]
}

async function requireFree(tx: Tx, caller: Caller, name: string, except: string | null): Promise<void> {
  if (await isNameTaken(tx, caller.workspaceId, caller.accountId, name, except)) {
    throw new ContractError('conflict', `You already have a view named “${name}”`)
  }
}

/** The names of the people who made the views, by their ids. */
async function namesOf(tx: Tx, caller: Caller, rows: readonly ViewRow[]): Promise<Map<string, string>> {
  const names = new Map([[caller.accountId, caller.name]])
  for (const { accountId } of rows) {
    if (!names.has(accountId)) names.set(accountId, (await knownPerson(tx, accountId))?.name ?? '')
  }
  return names
}

function viewOf(row: ViewRow, caller: Caller, madeBy: string): SavedView {
  return {
    view_id: row.id,
    name: row.name,
    query: row.query,
    shared: row.shared,
    mine: row.accountId === caller.accountId,
    made_by: madeBy,
    updated_at: row.updatedAt.toISOString(),
  }
}

function noView(): ContractError {
  return new ContractError('not_found', 'You have no such view')
}
