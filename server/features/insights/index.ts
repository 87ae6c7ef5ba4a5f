export { readStatementsById } from './corrections/store.ts'
export { insightJobs, requestGrouping } from './grouping/jobs.ts'
export { GroupsMoved, planRegrouping, type Regrouping, storeRegrouping } from './grouping/regrouping.ts'
export { groupNow, type InsightHooks, readUndecided } from './grouping/run.ts'
export { LEAST_SPLIT, textHash } from './grouping/split-store.ts'
export type { VectorSource } from './grouping/vector-source.ts'
export { recountRelabelled } from './list/import-effects.ts'
export { raiseRevision } from './revision.ts'
export { insightRoutes } from './routes.ts'
export { described, readNames, readShownNames, shownName } from './shown-store.ts'
export {
  type EvidenceRow,
  type InsightRow,
  markPushed,
  noteRenamed,
  readInsight,
  readNewestEvidence,
} from './store.ts'
export { retag, tagInsights, tagJobs } from './tagging/jobs.ts'
export { tagsKey } from './tagging/reader.ts'
export { readTags, type TagRow } from './tagging/store.ts'
