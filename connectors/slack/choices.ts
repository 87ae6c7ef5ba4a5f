import type { Choice, Context } from '../connector.ts'
import { sharedChannelsChoice } from '../kit/shared-channels.ts'
import { listChannels } from './directory.ts'
import { SlackSettings } from './manifest.ts'

/** Which channels to read, and which of them are shared with customers. Private ones are listed only if the app was invited to them. */
export async function choices(context: Context): Promise<Choice[]> {
  const listed = await listChannels(context, { exclude_archived: true })
  const channels = listed.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  const optionsOf = (list: typeof channels) =>
    list.map(({ id, name, is_private, is_member }) => ({
      value: id,
      label: `#${name}`,
      ...hint(is_private === true, is_member === true),
    }))
  const chosen = SlackSettings.safeParse(context.settings).data?.channels ?? []
  const isRead = ({ id, is_member }: (typeof channels)[number]) =>
    chosen.length > 0 ? chosen.includes(id) : is_member !== false
  return [
    {
      field: 'channels',
      label: 'Channels',
      help: 'Invite the app to each channel with /invite. Without a choice, every channel that it is in is read.',
      options: optionsOf(channels),
    },
    sharedChannelsChoice({
      own: 'workspace',
      written: 'messages',
      dependsOn: ['channels'],
      options: optionsOf(channels.filter(isRead)),
    }),
  ]
}

function hint(isPrivate: boolean, isMember: boolean): { hint?: string } {
  if (!isMember) return { hint: 'The app is not in it yet' }
  return isPrivate ? { hint: 'Private' } : {}
}
