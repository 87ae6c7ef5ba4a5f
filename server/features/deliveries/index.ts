export { considerPush } from './consider-push.ts'
export { holdQualified } from './held.ts'
export { deliveryJobs } from './jobs.ts'
export { deliveryRoutes } from './routes.ts'
