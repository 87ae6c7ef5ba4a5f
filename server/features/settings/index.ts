export { type SettingsHooks, settingsRoutes } from './routes.ts'
export { readSettings } from './store.ts'
