export { answerRoutes } from './answers/routes.ts'
export { checkModel } from './check-model.ts'
export { estimateRoutes } from './estimate.ts'
export { modelJobs } from './jobs.ts'
export { readingRoutes } from './reading-routes.ts'
export type { LabelledMessage } from './try/labelled.ts'

/** What tries a model on labelled messages; none of it is loaded before. */
export const loadTrials = () => import('./try/open-trial.ts')
