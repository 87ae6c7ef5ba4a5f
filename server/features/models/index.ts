export { checkModel } from './check-model.ts'
export { ModelFailure } from './failure.ts'
export { guardedFetch } from './guarded-fetch.ts'
export { modelJobs } from './jobs.ts'
