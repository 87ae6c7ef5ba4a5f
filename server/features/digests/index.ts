export { digestJobs } from './jobs.ts'
export { postJobs } from './posts/jobs.ts'
export { postRoutes } from './posts/routes.ts'
export { digestRoutes } from './routes.ts'
