export { settingsRoutes } from './routes.ts'
export { readSettings } from './store.ts'
