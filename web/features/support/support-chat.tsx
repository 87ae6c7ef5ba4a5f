import { lazyExtra } from '../../ui/loading/lazy-part.tsx'
import { useUserData } from '../accounts/index.ts'
import { usePublicConfig } from '../operations/index.ts'
import type { ChatWidget } from './widgets.ts'

const ChatWidgetFrame = lazyExtra(async () => (await import('./chat-widget.tsx')).ChatWidgetFrame)

const { VITE_CHAT_WIDGET: provider, VITE_CHAT_WIDGET_ID: id, VITE_CHAT_WIDGET_HOST: host = null } = import.meta.env

const built: ChatWidget | null =
  id && (provider === 'intercom' || provider === 'crisp' || provider === 'chatwoot') ? { provider, id, host } : null

/** The support chat, if the server or the build configures one. Otherwise nothing of it is fetched. */
export function SupportChat() {
  const user = useUserData()
  const config = usePublicConfig()
  const widget = config?.chat ?? (config === undefined ? null : built)
  if (!widget || !user) return null
  return <ChatWidgetFrame widget={widget} name={user.name} email={user.email} />
}
