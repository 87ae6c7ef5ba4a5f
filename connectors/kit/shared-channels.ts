import type { Choice } from '../connector.ts'

type SharedChannels = {
  /** What the provider calls the owner's side: members of it are agents there. */
  own: 'workspace' | 'organisation'
  /** The provider's plural noun for messages. */
  written: 'messages' | 'posts'
  dependsOn: readonly string[]
  /** The channels that are read. */
  options: Choice['options']
}

/** The choice of channels that are shared with customers, as chats offer it. In all other channels everyone is a customer. */
export const sharedChannelsChoice = ({ own, written, dependsOn, options }: SharedChannels): Choice => ({
  field: 'shared_channels',
  label: 'Shared with customers',
  help: `In these channels, what members of your own ${own} write is context and never counts as feedback. In all others, everyone’s ${written} count.`,
  dependsOn,
  options,
})
