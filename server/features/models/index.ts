export { checkModel } from './check-model.ts'
export { modelJobs } from './jobs.ts'
