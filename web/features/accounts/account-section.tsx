import { lazyPart } from '../../ui/lazy-part.tsx'
import { usePublicConfig } from '../operations/index.ts'
import { hasAccounts } from './auth-server.ts'

const AccountSettings = lazyPart(async () => (await import('./account-settings.tsx')).AccountSettings)

/** The workspace's data in Settings, for owners. */
export const WorkspaceData = lazyPart(async () => (await import('./workspace-data.tsx')).WorkspaceData)

/** Whether the server speaks the auth protocol, so that the account can be changed here. */
export const useHasAccount = (): boolean => hasAccounts(usePublicConfig())

/** The account settings; nothing on a server that does not speak the auth protocol. */
export function AccountSection() {
  const config = usePublicConfig()
  if (!hasAccounts(config)) return null
  return <AccountSettings config={config} />
}
