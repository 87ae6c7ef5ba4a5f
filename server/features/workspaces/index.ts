export { eraseRows, hasMembers } from './erasure-store.ts'
export { nextRevision, readRevision } from './revision-store.ts'
export { readStoredSettings, workspaceSettings, writeStoredSettings } from './settings-store.ts'
export {
  firstWorkspace,
  insertWorkspace,
  membershipsOf,
  membersView,
  renameWorkspace,
  workspaceFacts,
} from './store.ts'
