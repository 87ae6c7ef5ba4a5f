import { lazyPart } from '../../ui/lazy-part.tsx'
import { usePublicConfig } from '../operations/index.ts'
import { hasAccounts } from './auth-server.ts'

const AccountSettings = lazyPart(async () => (await import('./account-settings.tsx')).AccountSettings)

/** The account settings; nothing on a server that does not speak the auth protocol. */
export function AccountSection() {
  const config = usePublicConfig()
  if (!hasAccounts(config)) return null
  return <AccountSettings config={config} />
}
