import { lazyPart } from '../../ui/lazy-part.tsx'

/** The account in Settings, on a server that speaks the auth protocol (`hasAccounts`). */
export const AccountSection = lazyPart(async () => (await import('./account-settings.tsx')).AccountSettings)

/** The workspace's data in Settings, for owners. */
export const WorkspaceData = lazyPart(async () => (await import('./workspace-data.tsx')).WorkspaceData)
