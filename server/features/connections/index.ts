export { siteAddress } from './addresses.ts'
export { examplePayload } from './connection-test/example-payload.ts'
export { cutOffWorkspace, disconnectAll, endings } from './cut-off.ts'
export { disconnectedSources, lockDisconnected, namedSources, requireDisconnected } from './disconnected.ts'
export { guardedFetch, isRefusedHost } from './guarded-fetch.ts'
export { connectionJobs } from './jobs.ts'
export { addFileSource, fileConnection, fileSources, liveConnections } from './live.ts'
export { postingSignInRoutes } from './posting-routes.ts'
export { asking } from './refusal.ts'
export { connectionRoutes } from './routes.ts'
export { resealConnections } from './sealing/reseal.ts'
export { callProvider, freshContext, renewedAfter } from './sign-in/fresh-context.ts'
export { deleteExpiredStates } from './sign-in/oauth-state-store.ts'
export { allApps, hasApp } from './sign-in/provider-app.ts'
export { disconnectConnection } from './sign-in/revoke.ts'
export {
  type Connection,
  connectionById,
  connectionsOfAccount,
  countConnectionProblems,
  lockConnecting,
  lockConnection,
  noteConnectionError,
  pauseConnection,
  removeConnection,
  signOut,
} from './store.ts'
export { findSubscribed } from './subscriptions/subscribed.ts'
export { lackOfChoices, requireLive, requirePart, tileConnector, tilePoster } from './tile.ts'
export { userDataOf } from './user-data.ts'
export { nameOfConnection } from './view.ts'
export { connectionsView, lockedConnection } from './views-store.ts'
