export { eraseRows, hasMembers } from './erasure-store.ts'
export {
  deleteMember,
  enteredWorkspace,
  insertMember,
  lockMembers,
  memberRole,
  members,
  noteEntered,
  roleIn,
  rolesIn,
  setRole,
  setWantsMails,
  wantsMails,
  workplaceOf,
  workspacesOf,
} from './members-store.ts'
export { refuseRemoved } from './removed-callers.ts'
export { nextRevision, readRevision } from './revision-store.ts'
export { readStoredSettings, workspaceSettings, writeStoredSettings } from './settings-store.ts'
export {
  firstWorkspace,
  insertWorkspace,
  membershipsOf,
  renameWorkspace,
  workspaceFacts,
  workspaceName,
} from './store.ts'
export { daysOf, isKnownZone, readTimeZone, writeTimeZone } from './time-zone-store.ts'
