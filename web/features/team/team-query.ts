import { getTeam, type TeamMember } from '@groundswell/contract/team.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../client/index.ts'

/** The query of the people in the workspace. */
export const TEAM = ['team']

/** The people in the workspace; for owners also the open invitations. */
export function useTeam() {
  return useQuery({ queryKey: TEAM, queryFn: () => call(getTeam, {}) })
}

/** The name of a person, on every screen. */
export function nameOf({ name, email }: Pick<TeamMember, 'name' | 'email'>): string {
  return name || email
}
