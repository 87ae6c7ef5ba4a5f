export { answerRoutes } from './answers/routes.ts'
export { checkModel } from './check-model.ts'
export { contentWords, sameWord } from './content-words.ts'
export { encoderFor } from './encoder.ts'
export { estimateRoutes, hostOf } from './estimate.ts'
export { modelJobs } from './jobs.ts'
export type { Sampling } from './language-model.ts'
export { readingRoutes } from './reading-routes.ts'
export { type LabelledMessage, parseLabelled } from './try/labelled.ts'
export type { JudgeGrade, WindowModel } from './windows/open-window-model.ts'
export { paidCalls, tokensLeft } from './windows/paid-calls.ts'

/** What tries a model on labelled messages; none of it is loaded before. */
export const loadTrials = () => import('./try/open-trial.ts')

/** What counts the tokens of readings and reviews; none of it is loaded before. */
export const loadTokenCounts = () => import('./try/count-tokens.ts')

/** What has a model answer whole windows of feedback and grade such answers; none of it is loaded before. */
export const loadWindowModels = () => import('./windows/open-window-model.ts')
