export { syncJobs } from './jobs.ts'
export { requestSync } from './request-sync.ts'
export { syncRoutes } from './routes.ts'
export { syncsView } from './views-store.ts'
