import { authenticate, authJobs, authMounts } from './auth/index.ts'
import { accountRoutes } from './features/accounts/index.ts'
import { apiKeyRoutes } from './features/api-keys/index.ts'
import { audited, auditJobs, auditRoutes } from './features/audit/index.ts'
import { backupJobs, workspaceExportRoutes } from './features/backup/index.ts'
import { commentRoutes, countComments } from './features/comments/index.ts'
import { comparisonRoutes } from './features/comparisons/index.ts'
import { connectionJobs, connectionRoutes, postingSignInRoutes } from './features/connections/index.ts'
import { customerRoutes } from './features/customers/index.ts'
import {
  applyStatuses,
  considerPush,
  deliveryJobs,
  deliveryRoutes,
  forgetContents,
  holdQualified,
  readItemsOfConnections,
} from './features/deliveries/index.ts'
import { digestJobs, digestRoutes, forgetReplies, notices, postJobs, postRoutes } from './features/digests/index.ts'
import {
  embeddingJobs,
  embeddingRoutes,
  meaningHooks,
  requestEncoding,
  vectorSource,
} from './features/embeddings/index.ts'
import { evalRoutes } from './features/evals/index.ts'
import {
  caseConsentRoutes,
  evaluationJobs,
  evaluationRunRoutes,
  ownDirectories,
  ownSessions,
} from './features/evaluation/index.ts'
import { type FeedbackHooks, feedbackJobs, feedbackRoutes } from './features/feedback/index.ts'
import {
  insightJobs,
  insightRoutes,
  readLastVisit,
  readSince,
  recountRelabelled,
  requestCustomers,
  requestGrouping,
  retag,
  tagJobs,
  vectorsStored,
} from './features/insights/index.ts'
import { mcpMount } from './features/mcp/index.ts'
import { answerRoutes, estimateRoutes, modelJobs, readingRoutes } from './features/models/index.ts'
import { operationRoutes } from './features/operations/index.ts'
import { forgetEvents, receiverJobs, receiverRoutes } from './features/receivers/index.ts'
import { settingsRoutes } from './features/settings/index.ts'
import { sharedLinkRoutes, sharedPages } from './features/shared-links/index.ts'
import { keptFeedbackRoutes, requestSync, syncJobs, syncRoutes, syncsView } from './features/syncs/index.ts'
import { teamRoutes } from './features/team/index.ts'
import { viewRoutes } from './features/views/index.ts'
import { refuseRemoved } from './features/workspaces/index.ts'
import type { Mount } from './platform/http/create.ts'
import type { Handler } from './platform/http/handle.ts'
import type { JobWorker } from './platform/queue/queue.ts'
import type { Services } from './platform/services.ts'

/** Every call, recorded in the audit log and refused to a caller who is removed meanwhile, with the hooks between features: stored feedback requests grouping, a changed insight considers a push. */
export function handlers(services: Services): Handler[] {
  const meaning = meaningHooks(services)
  const calls = audited(services, [
    ...accountRoutes(services, { previousVisit: readSince, lastVisit: readLastVisit }),
    ...apiKeyRoutes(services),
    ...receiverRoutes(services),
    ...teamRoutes(services),
    ...sharedLinkRoutes(services),
    ...viewRoutes(services),
    ...auditRoutes(services),
    ...settingsRoutes(services, { thresholdChanged: holdQualified(services), tagsChanged: retag(services) }),
    ...connectionRoutes(services, {
      syncs: syncsView,
      itemsOf: readItemsOfConnections,
      sourceReady: async (tx, { workspaceId, connectionId }) => {
        await requestSync(services)(tx, workspaceId, connectionId)
      },
      destinationReady: (tx, { workspaceId, connectionId }) => holdQualified(services)(tx, workspaceId, connectionId),
      destinationResumed: (tx, { workspaceId }) => considerPush(services)(tx, workspaceId),
    }),
    ...customerRoutes(services, { changed: requestCustomers(services) }),
    ...syncRoutes(services),
    ...keptFeedbackRoutes(services, { stored: requestGrouping(services) }),
    ...feedbackRoutes(services, feedbackHooks(services)),
    ...insightRoutes(services, meaning, { ...notices(services), countComments }),
    ...commentRoutes(services, notices(services)),
    ...answerRoutes(services, meaning.search),
    ...estimateRoutes(services),
    ...readingRoutes(services),
    ...embeddingRoutes(services),
    ...deliveryRoutes(services),
    ...digestRoutes(services),
    ...postingSignInRoutes(services),
    ...postRoutes(services),
    ...evalRoutes(services, ownSessions(services)),
    ...caseConsentRoutes(services),
    ...comparisonRoutes(services, ownDirectories(services)),
    ...evaluationRunRoutes(services),
    ...operationRoutes(services),
    ...workspaceExportRoutes(services),
  ])
  return refuseRemoved(services, calls)
}

/** The parts of the server with their own protocols: sign-in, pages of read-only links, and agents, which make the same calls. */
export function mounts(services: Services, calls: readonly Handler[]): Mount[] {
  return [...authMounts(services), sharedPages(services), mcpMount(services, calls, authenticate(services))]
}

/** The hooks by which imports notify insights. */
export function feedbackHooks(services: Services): FeedbackHooks {
  return {
    stored: requestGrouping(services),
    relabelled: recountRelabelled,
    erasing: async (tx, workspaceId, erased) => {
      await forgetContents(tx, workspaceId, erased)
      await forgetEvents(tx, workspaceId, erased)
      await forgetReplies(tx, workspaceId, erased)
    },
  }
}

/** All background work. */
export function jobs(services: Services): JobWorker[] {
  const vectors = vectorSource(services)
  const insightHooks = { changed: considerPush(services), grouped: requestEncoding(services), vectors }
  return [
    ...connectionJobs(services),
    ...feedbackJobs(services, feedbackHooks(services)),
    ...syncJobs(services, { stored: requestGrouping(services), statusesChanged: applyStatuses(services) }),
    ...insightJobs(services, insightHooks),
    ...embeddingJobs(services, insightHooks, { vectorsStored: vectorsStored(services, vectors) }),
    ...tagJobs(services),
    ...deliveryJobs(services),
    ...digestJobs(services),
    ...postJobs(services),
    ...receiverJobs(services),
    ...modelJobs(services),
    ...evaluationJobs(services),
    ...authJobs(services),
    ...auditJobs(services),
    ...backupJobs(services),
  ]
}
