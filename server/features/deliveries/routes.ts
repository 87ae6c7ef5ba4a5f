import {
  answerHeld,
  getDelivery,
  listDeliveries,
  listHeld,
  previewPush,
  replayDelivery,
} from '@groundswell/contract/deliveries.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { pushInsight } from '@groundswell/contract/insights.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { askPush, askReplay } from './ask-by-person.ts'
import { answerOffer, readOffers } from './held/hold.ts'
import { previewOf } from './preview/preview.ts'
import { listRows, readAttempts, readDelivery } from './store.ts'
import { readCursor, viewAttempt, viewDelivery, writeCursor } from './view.ts'

const PAGE = 50

/** The delivery ledger, replays, held insights, and pushing an insight manually. */
export function deliveryRoutes(services: Services): Handler[] {
  return [
    handle(pushInsight, ({ caller: { workspaceId }, params, body }) =>
      inWorkspace(services.db, workspaceId, async (tx) => ({
        delivery_ids: await askPush(services, tx, workspaceId, params.issue_number, body.destinations),
      })),
    ),

    handle(previewPush, ({ caller: { workspaceId }, params, query, request }) =>
      previewOf(services, workspaceId, { tile: params.tile, issueNumber: query.issue_number }, request.signal),
    ),

    handle(listDeliveries, ({ caller: { workspaceId }, query }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const after = query.cursor === undefined ? undefined : readCursor(query.cursor)
        const filter = { connector: query.destination, state: query.state, issueNumber: query.issue_number, after }
        const rows = await listRows(tx, workspaceId, filter, { limit: PAGE + 1, now: services.now() })
        const page = rows.slice(0, PAGE)
        const last = page.at(-1)
        return {
          deliveries: page.map((row) => viewDelivery(row, services.now())),
          next_cursor: rows.length > PAGE && last ? writeCursor(last) : null,
        }
      }),
    ),

    handle(listHeld, ({ caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => ({ held: await readOffers(tx, workspaceId) })),
    ),

    handle(answerHeld, ({ caller: { workspaceId }, body }) =>
      inWorkspace(services.db, workspaceId, (tx) => answerOffer(services, tx, workspaceId, body)),
    ),

    handle(getDelivery, ({ caller: { workspaceId }, params }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const delivery = await readDelivery(tx, workspaceId, params.id)
        if (!delivery) throw new ContractError('not_found', 'There is no such delivery')
        const attempts = await readAttempts(tx, workspaceId, params.id)
        return { delivery: viewDelivery(delivery, services.now()), attempts: attempts.map(viewAttempt) }
      }),
    ),

    handle(replayDelivery, ({ caller: { workspaceId }, params }) =>
      inWorkspace(services.db, workspaceId, async (tx) => ({
        delivery: viewDelivery(await askReplay(services, tx, workspaceId, params.id), services.now()),
      })),
    ),
  ]
}
