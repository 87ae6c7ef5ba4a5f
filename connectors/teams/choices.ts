import type { Choice, Context } from '../connector.ts'
import { sharedChannelsChoice } from '../kit/shared-channels.ts'
import { settingsOf } from './client.ts'
import { type Channel, chosenChannels, teamsOf } from './directory.ts'
import { includesChannel, selectionOf } from './selection.ts'

/** As words for a hint, by Graph's kinds of channel. */
const HINTS: Readonly<Record<string, string>> = { private: 'Private', shared: 'Shared with other organisations' }

/** Which channels to read. Nothing is read until teams are chosen: the permissions are those for the whole organisation. */
export async function choices(context: Context): Promise<Choice[]> {
  const selection = selectionOf(settingsOf(context), context.now())
  const teams = await teamsOf(context, { fresh: true })
  const byName = (a: { label: string }, b: { label: string }) => a.label.localeCompare(b.label, 'en')
  const first: Choice[] = [
    {
      field: 'start_date',
      label: 'Start date',
      help: 'Posts that were written or changed since then are read, with their replies. Without a date: the last 8 months.',
      kind: 'date',
      single: true,
      options: [],
    },
    {
      field: 'teams',
      label: 'Teams',
      help: 'Only these teams are read.',
      required: true,
      options: teams.map(({ id, name }) => ({ value: id, label: name })).toSorted(byName),
    },
  ]
  const chosen = teams.filter(({ id }) => selection.teams?.includes(id))
  if (chosen.length === 0) return first
  // All channels of the chosen teams, whatever is chosen of them.
  const channels = await chosenChannels(context, { ...selection, channels: null }, { fresh: true })
  const optionsOf = (list: readonly Channel[]) =>
    list
      .map(({ key, name, membership }) => ({
        value: key,
        label: name,
        ...(HINTS[membership] ? { hint: HINTS[membership] } : {}),
      }))
      .toSorted(byName)
  return [
    ...first,
    {
      field: 'channels',
      label: 'Channels',
      help: 'Of a team without a chosen channel, all channels are read.',
      dependsOn: ['teams'],
      options: optionsOf(channels),
    },
    sharedChannelsChoice({
      own: 'organisation',
      written: 'posts',
      dependsOn: ['teams', 'channels'],
      options: optionsOf(channels.filter(({ team, channel }) => includesChannel(selection, team, channel))),
    }),
  ]
}
