import { lazyPart } from '../../../ui/loading/lazy-part.tsx'

/** The account in Settings, on a server that speaks the auth protocol (`hasAccounts`). */
export const AccountSection = lazyPart(async () => (await import('./account-settings.tsx')).AccountSettings)

/** The workspace's data in Settings, for owners. */
export const WorkspaceData = lazyPart(async () => (await import('./workspace-data.tsx')).WorkspaceData)

/** The name of the workspace, which its owners change. */
export const WorkspaceName = lazyPart(async () => (await import('./workspace-name.tsx')).WorkspaceName, {
  waiting: () => <div className="skeleton mt-5 h-14" role="status" aria-label="Loading" />,
})
