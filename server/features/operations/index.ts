export { drain } from './drain.ts'
export { operationRoutes } from './routes.ts'
export { version } from './version.ts'
