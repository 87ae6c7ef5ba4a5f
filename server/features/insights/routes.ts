import { listAlike } from '@groundswell/contract/alike.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { getInsightDetail, setInsightTags } from '@groundswell/contract/insight-detail.ts'
import {
  deleteInsight,
  listEvidence,
  listInsights,
  listUngrouped,
  restoreInsight,
} from '@groundswell/contract/insights.ts'
import { getTagProgress, previewTags } from '@groundswell/contract/tags.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { alikeInsights } from './corrections/alike.ts'
import { correctionRoutes } from './corrections/routes.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { describeInsight } from './detail/detail.ts'
import { requestGrouping } from './grouping/jobs.ts'
import { importEffectRoutes } from './list/import-effects.ts'
import { InsightList } from './list/insight-list.ts'
import { fullMention } from './mention.ts'
import { markDeleted, readEvidencePage, readInsight } from './store.ts'
import { tryTags } from './tagging/preview.ts'
import { tagProgress } from './tagging/run.ts'
import { refreshShares } from './tagging/shares.ts'
import { changeTags } from './tagging/tags.ts'
import { ungroupedPage } from './ungrouped/ungrouped.ts'

/** The calls that show insights, tag, delete and restore them, and try tags on them. Pushing one belongs to deliveries. */
export function insightRoutes(services: Services): Handler[] {
  const list = new InsightList(services)

  const mark = async (workspaceId: string, issueNumber: number, deletedAt: Date | null) => {
    await inWorkspace(services.db, workspaceId, async (tx) => {
      if (!(await markDeleted(tx, workspaceId, issueNumber, deletedAt))) throw notFound()
      await refreshShares(tx, workspaceId, services.now())
      await requestGrouping(services)(tx, workspaceId)
    })
    return { issue_number: issueNumber }
  }

  return [
    handle(listInsights, ({ caller, clientHas }) => list.reply(caller.workspaceId, clientHas)),

    handle(listEvidence, ({ caller, params, query }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const after = query.cursor === undefined ? null : readCursor(query.cursor)
        const insight = await readInsight(tx, caller.workspaceId, params.issue_number)
        if (!insight?.shown) throw notFound()
        const rows = await readEvidencePage(tx, caller.workspaceId, params.issue_number, after, query.limit + 1)
        const page = rows.slice(0, query.limit)
        const last = page.at(-1)
        return {
          mentions: page.map(fullMention),
          next_cursor: rows.length > page.length && last ? writeCursor(last) : null,
        }
      }),
    ),

    handle(listAlike, async ({ caller, query: { issue, like } }) => {
      if ((issue === undefined) === (like === undefined)) {
        const what = 'Name either an insight or mentions'
        throw new ContractError('invalid_input', what, { 'query.issue': what })
      }
      const asked = issue === undefined ? { mentions: like?.split(',') ?? [] } : { issue }
      return { issue_numbers: await alikeInsights(services, caller.workspaceId, asked) }
    }),

    handle(listUngrouped, ({ caller, query }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) =>
        ungroupedPage(tx, caller.workspaceId, { ...query, courtesies: query.courtesies === 'true' }),
      ),
    ),

    handle(getInsightDetail, ({ caller, params }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) =>
        describeInsight(tx, caller.workspaceId, params.issue_number, services.now()),
      ),
    ),

    handle(setInsightTags, ({ caller, params, body }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => ({
        categories: await changeTags(tx, caller.workspaceId, params.issue_number, body.changes),
      })),
    ),

    handle(previewTags, ({ caller, body }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => ({
        tags: await tryTags(tx, caller.workspaceId, body.categories, services.now()),
      })),
    ),

    handle(getTagProgress, ({ caller }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) => tagProgress(tx, caller.workspaceId)),
    ),

    ...correctionRoutes(services),

    ...importEffectRoutes(services),

    handle(deleteInsight, ({ caller, params }) => mark(caller.workspaceId, params.issue_number, services.now())),

    handle(restoreInsight, ({ caller, params }) => mark(caller.workspaceId, params.issue_number, null)),
  ]
}

function notFound(): ContractError {
  return new ContractError('not_found', 'There is no such insight')
}
