export { drain } from './drain.ts'
export { operationRoutes } from './routes.ts'
