import {
  correctInsight,
  correctPoint,
  createInsight,
  getCorrection,
  listCorrections,
  previewCorrection,
  undoCorrection,
  whyHere,
} from '@groundswell/contract/corrections.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { listAlike } from '@groundswell/contract/insights/alike.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type Caller, type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { requestGrouping } from '../grouping/jobs.ts'
import { tagInsights } from '../tagging/jobs.ts'
import { similarInsights } from './alike.ts'
import {
  preview,
  requestCorrection,
  requestInsight,
  requestPoint,
  undo,
  viewCorrection,
  viewCorrections,
} from './requests.ts'
import { explainMention, type MeaningHooks } from './why.ts'

/** The calls by which people correct insights, undo that, find similar insights and ask why a mention is where it is. */
export function correctionRoutes(services: Services, meaning: MeaningHooks | undefined): Handler[] {
  const inside = <T>(caller: Caller, work: (tx: Tx, workspaceId: string) => Promise<T>) =>
    inWorkspace(services.db, caller.workspaceId, (tx) => work(tx, caller.workspaceId))
  const author = (caller: Caller) => ({ person: caller.name || caller.email, now: services.now() })

  return [
    handle(createInsight, ({ caller, body }) =>
      inside(caller, async (tx, workspaceId) => {
        const made = await requestInsight(tx, workspaceId, body.mentions, author(caller).person)
        await requestGrouping(services)(tx, workspaceId)
        return made
      }),
    ),

    handle(correctInsight, ({ caller, params, body }) =>
      inside(caller, async (tx, workspaceId) => {
        const made = await requestCorrection(tx, workspaceId, params.issue_number, body, author(caller))
        if (made.state === 'waiting' || body.kind === 'point') await requestGrouping(services)(tx, workspaceId)
        else await tagInsights(services)(tx, workspaceId, [params.issue_number])
        return made
      }),
    ),

    handle(correctPoint, ({ caller, body }) =>
      inside(caller, async (tx, workspaceId) => {
        const made = await requestPoint(tx, workspaceId, body, author(caller))
        await requestGrouping(services)(tx, workspaceId)
        return made
      }),
    ),

    handle(previewCorrection, ({ caller, params, body }) =>
      inside(caller, async (tx, workspaceId) => {
        const { changes } = await preview(tx, workspaceId, params.issue_number, body)
        return { changes }
      }),
    ),

    handle(listCorrections, ({ caller, params }) =>
      inside(caller, async (tx, workspaceId) => ({
        corrections: await viewCorrections(tx, workspaceId, params.issue_number),
      })),
    ),

    handle(getCorrection, ({ caller, params }) =>
      inside(caller, (tx, workspaceId) => viewCorrection(tx, workspaceId, params.correction_id)),
    ),

    handle(undoCorrection, ({ caller, params }) =>
      inside(caller, async (tx, workspaceId) => {
        const undone = await undo(tx, workspaceId, params.correction_id, author(caller))
        if (undone.regroups) await requestGrouping(services)(tx, workspaceId)
        else await tagInsights(services)(tx, workspaceId, undone.renamed)
        return { correction_id: undone.correction_id, state: undone.state }
      }),
    ),

    handle(whyHere, ({ caller, params }) =>
      inside(caller, (tx, workspaceId) => explainMention(tx, workspaceId, params.issue_number, params.id, meaning)),
    ),

    handle(listAlike, async ({ caller, query: { issue, like } }) => {
      if ((issue === undefined) === (like === undefined)) {
        const what = 'Name either an insight or mentions'
        throw new ContractError('invalid_input', what, { 'query.issue': what })
      }
      const target = issue === undefined ? { mentions: like?.split(',') ?? [] } : { issue }
      return { issue_numbers: await similarInsights(services, caller.workspaceId, target) }
    }),
  ]
}
