export { digestJobs } from './jobs.ts'
export { notices } from './notices.ts'
export { digestRoutes } from './routes.ts'
