export { evalRoutes, type OwnSessions } from './routes.ts'
export { removeScoresIn } from './score-store.ts'
