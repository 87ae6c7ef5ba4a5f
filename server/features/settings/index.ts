export { settingsRoutes } from './routes.ts'
export { readSettings, tagsInSettings } from './store.ts'
