import type { Handler } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { askerRoutes } from './askers/routes.ts'
import { type AssignmentHooks, assignmentRoutes } from './assignment/routes.ts'
import { attributeRoutes } from './attributes/routes.ts'
import { correctionRoutes } from './corrections/routes.ts'
import type { MeaningHooks } from './corrections/why.ts'
import { customerListRoutes } from './customers/routes.ts'
import { detailRoutes } from './detail/routes.ts'
import { emergingRoutes } from './emerging/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { kindRoutes } from './kinds/routes.ts'
import type { ImportEffectHooks } from './list/import-effects.ts'
import { listRoutes } from './list/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { Revisions } from './revision.ts'
import { searchRoutes } from './search/routes.ts'
import { suggestionRoutes } from './suggestions/routes.ts'
import { tagRoutes } from './tagging/routes.ts'
import { teamStatusRoutes } from './team-status/routes.ts'
import { themeRoutes } from './themes/routes.ts'
import { ungroupedRoutes } from './ungrouped/routes.ts'
import { visitRoutes } from './visits/routes.ts'

export {
  type AskedWith,
  type ControlCounts,
  countControls,
  type GivenAnswer,
  holdGroups,
  type NamedStatement,
  readAnswers,
  reuseAnswers,
  storeAnswers,
  storeDecisions,
} from './advice/answer-store.ts'
export { type AdviceCounts, countAdvice, countUnasked } from './advice/count-store.ts'
export {
  type Described,
  postponeDescription,
  readDescribed,
  readUndescribed,
  storeDescription,
} from './advice/description-store.ts'
export { type LongMessage, readLong, storeSplit } from './advice/long-message-store.ts'
export {
  countReach,
  countReadings,
  isReadingRequested,
  type Reading,
  readLastItem,
  readUnread,
  requestReading,
  storeReadings,
  type UnreadMessage,
} from './advice/reading-store.ts'
export {
  countReviewErrors,
  countUnreviewed,
  forgetReviewErrors,
  postponeReview,
  type ReviewedMention,
  type ReviewOutcome,
  readFar,
  readNearest,
  readReviewable,
  readReviewedMentions,
  readUnreviewed,
  storeReview,
  withdrawReviews,
} from './advice/review-store.ts'
export { readConversations } from './askers/conversation-store.ts'
export { addTold as markTold } from './askers/store.ts'
export type { AssignmentHooks } from './assignment/routes.ts'
export { readAssignedTo } from './assignment/store.ts'
export { readInsightsByAttributes } from './attributes/routes.ts'
export { readCompanies } from './companies-store.ts'
export { countLabelled, type LabelledCorrection, readLabelled, readSample } from './corrections/labelled-store.ts'
export { readTaughtPoints } from './corrections/point-store.ts'
export { readCurrentNumber, readStatementsById } from './corrections/store.ts'
export type { MeaningHooks } from './corrections/why.ts'
export { requestCustomers } from './customers/find-customers.ts'
export { type NamedCustomer, readInsightsOf, readLargestCustomers } from './customers/list-store.ts'
export { type EvidenceRow, readNewestAuthors, readNewestEvidence } from './evidence-store.ts'
export { insightJobs, requestGrouping } from './grouping/jobs.ts'
export { GroupsMoved, planRegrouping, type Regrouping, storeRegrouping } from './grouping/regrouping.ts'
export { recountRelabelled } from './grouping/relabelled.ts'
export { groupNow, type InsightHooks, readJudgement } from './grouping/run.ts'
export { stateLoads } from './grouping/state-loads.ts'
export type { GroupingModel, VectorSource } from './grouping/vector-source.ts'
export { vectorsStored } from './grouping/vectors-stored.ts'
export { readListed } from './list/listed.ts'
export { readWithMerged } from './merges-store.ts'
export { countDays } from './reports/count-days.ts'
export { raiseRevision } from './revision.ts'
export type { SearchByMeaning } from './search/compared-search.ts'
export { findForQuestion } from './search/for-question.ts'
export { described, guessedInsights, readEmergingNames, readNames, readShownNames, shownName } from './shown-store.ts'
export {
  markOffered,
  markOutcome,
  markPushed,
  markRegressed,
  markReopened,
  markResolved,
  noteItemGone,
  noteItemRenamed,
} from './status-store.ts'
export { type InsightRow, noteRenamed, readInsight, readShownInsights } from './store.ts'
export { retag, tagInsights, tagJobs } from './tagging/jobs.ts'
export { tagsKey } from './tagging/reader.ts'
export { readTags, type TagRow } from './tagging/store.ts'
export { readShipped } from './team-status/store.ts'
export { readTrend } from './trend.ts'
export { broughtByReview, groupsView, insightsView, statementsView } from './views-store.ts'
export { findNewInThemes, findNewOfCustomers, findRegressions, findSpikes } from './visits/alarms.ts'
export { spanOf, viewChanges } from './visits/changes.ts'
export { readLastVisit, readSince, seenUntil } from './visits/visit-store.ts'

/** All calls about insights except pushing one, which belongs to deliveries. Without `meaning` insights are grouped by words alone. */
export function insightRoutes(
  services: Services,
  meaning?: MeaningHooks,
  hooks?: AssignmentHooks & ImportEffectHooks,
): Handler[] {
  const revisions = new Revisions(services.db)
  return [
    ...listRoutes(services, revisions, hooks),
    ...emergingRoutes(services, revisions),
    ...suggestionRoutes(services, revisions),
    ...themeRoutes(services, revisions),
    ...overviewRoutes(services, revisions, meaning),
    ...visitRoutes(services, revisions),
    ...exportRoutes(services),
    ...reportRoutes(services),
    ...detailRoutes(services),
    ...customerListRoutes(services),
    ...attributeRoutes(services),
    ...askerRoutes(services),
    ...ungroupedRoutes(services),
    ...searchRoutes(services, meaning?.search),
    ...kindRoutes(services),
    ...tagRoutes(services),
    ...teamStatusRoutes(services),
    ...assignmentRoutes(services, hooks),
    ...correctionRoutes(services, meaning),
  ]
}
