import { hasAccounts, useMayEdit, useUserData } from '../accounts/index.ts'
import { usePublicConfig } from '../operations/index.ts'

/** The parts of the settings that this person has here. `path` follows `/settings`; it is empty for the first one, which every server has. */
export function useSettingsParts(): { path: string; label: string }[] {
  const config = usePublicConfig()
  const hasExtras = config !== null
  const mayEdit = useMayEdit()
  const inWorkspace = useUserData()?.workspace !== undefined
  return [
    { path: '', label: 'Push and tags', shown: true },
    { path: '/you', label: 'You', shown: hasAccounts(config) },
    { path: '/workspace', label: 'Workspace', shown: hasExtras },
    { path: '/team', label: 'Team', shown: inWorkspace },
    { path: '/notifications', label: 'Notifications', shown: hasExtras },
    { path: '/developers', label: 'Developers', shown: hasExtras && mayEdit },
    { path: '/server', label: 'Server', shown: hasExtras },
  ]
    .filter(({ shown }) => shown)
    .map(({ path, label }) => ({ path, label }))
}
