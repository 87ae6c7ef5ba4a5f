export { digestJobs } from './jobs.ts'
export { digestRoutes } from './routes.ts'
