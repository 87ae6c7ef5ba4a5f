export { groupNow } from './grouping-run.ts'
export { insightJobs, requestGrouping } from './jobs.ts'
export { insightRoutes } from './routes.ts'
export {
  type EvidenceRow,
  type InsightRow,
  markPushed,
  readInsight,
  readNewestEvidence,
} from './store.ts'
export { readTags, showTagsAnew, type TagRow } from './tag-store.ts'
