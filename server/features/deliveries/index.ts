export { considerPush } from './consider-push.ts'
export { deliveryJobs } from './jobs.ts'
export { deliveryRoutes } from './routes.ts'
