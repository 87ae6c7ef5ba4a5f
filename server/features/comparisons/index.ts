export { comparisonRoutes, type OwnDirectories } from './routes.ts'
export { Run, Runs } from './run.ts'
export { runFiles } from './run-files.ts'
