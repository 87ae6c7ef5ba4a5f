export { checkWorker } from './check-worker.ts'
export { type Monitoring, startMonitoring } from './monitoring.ts'
export type { Role } from './registry.ts'
