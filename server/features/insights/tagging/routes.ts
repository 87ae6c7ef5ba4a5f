import { setInsightTags } from '@groundswell/contract/insights/insight-detail.ts'
import { getTagProgress, previewTags } from '@groundswell/contract/insights/tags.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { previewTagValues } from './preview.ts'
import { tagProgress } from './run.ts'
import { changeTags } from './tags.ts'

/** The calls that set tags of an insight, preview tags, and report how far tagging is. */
export function tagRoutes(services: Services): Handler[] {
  return [
    handle(setInsightTags, ({ caller, params, body }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) =>
        changeTags(services, tx, caller.workspaceId, params.issue_number, body.changes),
      ),
    ),

    handle(previewTags, ({ caller, body }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => ({
        tags: await previewTagValues(tx, caller.workspaceId, body.categories, {
          now: services.now(),
          onInsights: body.on_insights ?? true,
        }),
      })),
    ),

    handle(getTagProgress, ({ caller }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) => tagProgress(tx, caller.workspaceId)),
    ),
  ]
}
