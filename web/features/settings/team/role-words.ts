import type { Role } from '@groundswell/contract/values/role.ts'

/** What each role is called. */
export const ROLE_WORDS: Record<Role, string> = { viewer: 'Viewer', member: 'Member', owner: 'Owner' }

/** What each role may do. */
export const ROLE_HELP: Record<Role, string> = {
  viewer: 'Sees everything and comments on insights.',
  member: 'Also changes insights, settings, sources and destinations.',
  owner: 'Also manages people, how long feedback is kept, and the export of the workspace.',
}

/** A date as the list shows it. */
export function dayOf(at: string): string {
  return new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' })
}
