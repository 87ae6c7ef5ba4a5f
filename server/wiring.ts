import { accountJobs, accountRoutes } from './features/accounts/index.ts'
import { audited, auditJobs, auditRoutes } from './features/audit/index.ts'
import { comparisonRoutes } from './features/comparisons/index.ts'
import { connectionJobs, connectionRoutes } from './features/connections/index.ts'
import { considerPush, deliveryJobs, deliveryRoutes, holdQualified } from './features/deliveries/index.ts'
import { comparedBy, embeddingJobs, embeddingRoutes, vectorSource } from './features/embeddings/index.ts'
import { evalRoutes } from './features/evals/index.ts'
import { type FeedbackHooks, feedbackJobs, feedbackRoutes } from './features/feedback/index.ts'
import {
  insightJobs,
  insightRoutes,
  recountRelabelled,
  requestGrouping,
  retag,
  tagJobs,
} from './features/insights/index.ts'
import { modelJobs } from './features/models/index.ts'
import { operationRoutes } from './features/operations/index.ts'
import { settingsRoutes } from './features/settings/index.ts'
import { requestSync, syncJobs, syncRoutes } from './features/syncs/index.ts'
import type { Handler } from './platform/http/handle.ts'
import type { JobWorker } from './platform/queue/queue.ts'
import type { Services } from './platform/services.ts'

/** Every call, written down in the audit log, with what the features tell each other: stored feedback asks for grouping, a changed insight for a push. */
export function handlers(services: Services): Handler[] {
  return audited(services, [
    ...accountRoutes(services),
    ...auditRoutes(services),
    ...settingsRoutes(services, { changed: holdQualified(services), retagged: retag(services) }),
    ...connectionRoutes(services, {
      opened: holdQualified(services),
      resumed: considerPush(services),
      signedIn: async (tx, workspaceId, connectionId) => {
        await requestSync(services)(tx, workspaceId, connectionId)
      },
    }),
    ...syncRoutes(services),
    ...feedbackRoutes(services, feedbackHooks(services)),
    ...insightRoutes(services, { comparedBy }),
    ...embeddingRoutes(services),
    ...deliveryRoutes(services),
    ...evalRoutes(services),
    ...comparisonRoutes(services),
    ...operationRoutes(services),
  ])
}

/** What imported feedback tells the insights. */
export function feedbackHooks(services: Services): FeedbackHooks {
  return { stored: requestGrouping(services), relabelled: recountRelabelled(services) }
}

/** All background work. */
export function jobs(services: Services): JobWorker[] {
  const insightHooks = { changed: considerPush(services), vectors: vectorSource(services) }
  return [
    ...connectionJobs(services),
    ...feedbackJobs(services, feedbackHooks(services)),
    ...syncJobs(services, { stored: requestGrouping(services) }),
    ...insightJobs(services, insightHooks),
    ...embeddingJobs(services, insightHooks),
    ...tagJobs(services),
    ...deliveryJobs(services),
    ...modelJobs(services),
    ...accountJobs(services),
    ...auditJobs(services),
  ]
}
