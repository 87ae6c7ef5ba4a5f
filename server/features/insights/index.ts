export { readStatementsById } from './corrections/store.ts'
export { groupNow, type InsightHooks, readUndecided } from './grouping-run.ts'
export { recountRelabelled } from './import-effects.ts'
export { insightJobs, requestGrouping } from './jobs.ts'
export { GroupsMoved, planRegrouping, type Regrouping, storeRegrouping } from './regrouping.ts'
export { raiseRevision } from './revision.ts'
export { insightRoutes } from './routes.ts'
export { described, readNames, readShownNames, shownName } from './shown-store.ts'
export { LEAST_SPLIT, textHash } from './split-store.ts'
export {
  type EvidenceRow,
  type InsightRow,
  markPushed,
  noteRenamed,
  readInsight,
  readNewestEvidence,
} from './store.ts'
export { retag, tagInsights, tagJobs } from './tag-jobs.ts'
export { tagsKey } from './tag-reader.ts'
export { readTags, type TagRow } from './tag-store.ts'
export type { VectorSource } from './vector-source.ts'
