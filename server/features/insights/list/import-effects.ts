import { ContractError } from '@groundswell/contract/errors.ts'
import {
  type DeletionEffects,
  type PeoplesWork,
  previewImportDeletion,
} from '@groundswell/contract/feedback/import-undo.ts'
import { previewKeptDeletion } from '@groundswell/contract/feedback/kept-feedback.ts'
import { previewErasure } from '@groundswell/contract/feedback/retention.ts'
import { getImportInsights } from '@groundswell/contract/feedback.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { requireDisconnected } from '../../connections/index.ts'
import {
  countItemsOf,
  countRestorable,
  findImport,
  readItemsByAuthor,
  readItemsOf,
  readOwnItems,
} from '../../feedback/index.ts'
import { grew, readChanges } from '../changes/member-changes.ts'
import {
  type ImportInsight,
  readImportBegan,
  readImportInsights,
  readLosses,
  readWorkOn,
} from './import-effects-store.ts'

const MAX_NAMED = 20

/** How many comments there are on these insights: comments are another feature, which knows this one. */
export type ImportEffectHooks = {
  countComments: (tx: Tx, workspaceId: string, issueNumbers: readonly number[]) => Promise<number>
}

/** The calls that report how an import changed the insights, and how deleting it, the feedback of a disconnected source or of a person would. */
export function importEffectRoutes(services: Services, hooks?: ImportEffectHooks): Handler[] {
  const ofImport = <T>(workspaceId: string, importId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
    inWorkspace(services.db, workspaceId, async (tx) => {
      const found = await findImport(tx, workspaceId, importId)
      if (!found) throw new ContractError('not_found', 'There is no such import')
      return work(tx)
    })
  return [
    handle(getImportInsights, ({ params, caller }) =>
      ofImport(caller.workspaceId, params.id, async (tx) => {
        const began = await readImportBegan(tx, caller.workspaceId, params.id)
        const changes = began === null ? [] : await readChanges(tx, caller.workspaceId, began)
        const changeOf = new Map(changes.map(({ issueNumber, change }) => [issueNumber, change]))
        const named = ({ issue_number, name, mentions }: ImportInsight) => {
          const change = changeOf.get(issue_number)
          return { issue_number, name, mentions, ...(change ? { change } : {}) }
        }
        const all = await readImportInsights(tx, caller.workspaceId, params.id)
        const created = all.filter((one) => one.created)
        const earlier = all.filter((one) => !one.created)
        const grown = earlier.filter((one) => grew(changeOf.get(one.issue_number) ?? { count: 0 }))
        return {
          created: created.length,
          grew: grown.length,
          others: earlier.length - grown.length,
          created_insights: created.slice(0, MAX_NAMED).map(named),
          grown_insights: grown.slice(0, MAX_NAMED).map(named),
        }
      }),
    ),

    handle(previewImportDeletion, ({ params, caller }) =>
      ofImport(caller.workspaceId, params.id, async (tx) => {
        const removed = await readOwnItems(tx, caller.workspaceId, params.id)
        return {
          ...(await effectsOf(tx, caller.workspaceId, removed)),
          restored: await countRestorable(tx, caller.workspaceId, params.id, removed),
          kept: (await countItemsOf(tx, caller.workspaceId, params.id)) - removed.length,
          work: await workOn(tx, caller.workspaceId, removed, hooks),
        }
      }),
    ),

    handle(previewKeptDeletion, ({ params: { id }, caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        await requireDisconnected(tx, workspaceId, id)
        const { ids, context } = await readItemsOf(tx, workspaceId, id)
        const effects = await effectsOf(tx, workspaceId, ids)
        return { ...effects, removed: effects.removed + context }
      }),
    ),

    handle(previewErasure, ({ body: { author }, caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const { ids, context } = await readItemsByAuthor(tx, workspaceId, author)
        const effects = await effectsOf(tx, workspaceId, ids)
        return { ...effects, removed: effects.removed + context }
      }),
    ),
  ]
}

/** What deleting these items would change. */
async function effectsOf(tx: Tx, workspaceId: string, itemIds: readonly number[]): Promise<DeletionEffects> {
  const losses = await readLosses(tx, workspaceId, itemIds)
  const disappear = losses.filter((one) => one.disappears).length
  return {
    removed: itemIds.length,
    shrink: losses.length - disappear,
    disappear,
    insights: losses.slice(0, MAX_NAMED),
  }
}

/** What people did with what these items brought; null where nobody counts comments. */
async function workOn(
  tx: Tx,
  workspaceId: string,
  itemIds: readonly number[],
  hooks?: ImportEffectHooks,
): Promise<PeoplesWork | null> {
  if (!hooks) return null
  const { disappearing, ...work } = await readWorkOn(tx, workspaceId, itemIds)
  return { ...work, comments: await hooks.countComments(tx, workspaceId, disappearing) }
}
