export { createImport, type ImportOptions } from './create-import.ts'
export { type ExportedItem, exportFeedback } from './export.ts'
export { type FeedbackHooks, feedbackJobs } from './jobs.ts'
export { readImport } from './read-import.ts'
export { feedbackRoutes } from './routes.ts'
export { type ImportRun, runImport } from './run-import.ts'
export {
  countUngrouped,
  deleteItems,
  type FeedbackRow,
  markGrouped,
  readItems,
  readUngrouped,
  type Stored,
  storeItems,
} from './store.ts'
