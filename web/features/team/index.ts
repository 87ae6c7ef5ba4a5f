export { nameOf, TEAM, useTeam } from './team-query.ts'
