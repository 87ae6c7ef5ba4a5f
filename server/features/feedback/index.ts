export { deleteThreads, readThread } from './conversation-store.ts'
export { exportFeedback } from './export.ts'
export type { FeedbackHooks } from './hooks.ts'
export { createImport } from './imports/create-import.ts'
export { findImport } from './imports/import-store.ts'
export { runImport } from './imports/run-import.ts'
export { feedbackJobs } from './jobs.ts'
export { countMessages, countMessagesOf, deleteFeedbackOf, readItemsOf } from './kept-store.ts'
export { countItemsOf, countRestorable, readOwnItems } from './replaced-store.ts'
export { expireFeedback } from './retention/retention.ts'
export { readAuthors, readItemsByAuthor } from './retention/store.ts'
export { feedbackRoutes } from './routes.ts'
export { fillSearches } from './search/fill.ts'
export {
  type Asked,
  estimateWithWords,
  feedbackWithWords,
  feedbackWithWordsBetween,
  hasPhrase,
  isSearchFilled,
  searchedFeedback,
  searchQuery,
} from './search/store.ts'
export { listSources } from './sources.ts'
export {
  countItemsSince,
  countItemsToGroup,
  deleteItems,
  externalIdsIn,
  markGrouped,
  storeItems,
  ungroupItem,
} from './store.ts'
export { deleteImport } from './take-back.ts'
export { feedbackItemsView, importBegan, isInConversation, itemsOfImport } from './views-store.ts'
export { withoutNames } from './without-names.ts'
