export { nextRevision, readRevision } from './revision-store.ts'
export { readStoredSettings, workspaceSettings, writeStoredSettings } from './settings-store.ts'
export {
  firstWorkspace,
  insertWorkspace,
  membershipsOf,
  removeWorkspace,
  renameWorkspace,
  workspaceFacts,
} from './store.ts'
