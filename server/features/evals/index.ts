export { evalRoutes } from './routes.ts'
