export { type GroupingOutcome, groupNow, type InsightHooks } from './grouping-run.ts'
export { insightJobs, requestGrouping } from './jobs.ts'
export { raiseRevision } from './revision.ts'
export { insightRoutes } from './routes.ts'
export {
  type EvidenceRow,
  type InsightRow,
  markPushed,
  readInsight,
  readInsights,
  readNewestEvidence,
} from './store.ts'
