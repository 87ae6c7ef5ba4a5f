export { postJobs } from './jobs.ts'
export { postRoutes } from './routes.ts'
