import type { Choice, Context } from '../connector.ts'
import { listAll } from './lists.ts'
import { Brands, Groups } from './schema.ts'

/** Zendesk's names of the channels through which tickets arrive, and ours. */
const CHANNELS: Readonly<Record<string, string>> = {
  email: 'E-mail',
  web: 'Web form',
  mobile_sdk: 'Mobile app',
  native_messaging: 'Messaging',
  chat: 'Live chat',
  voice: 'Phone',
  sms: 'Text message',
  whatsapp: 'WhatsApp',
  facebook: 'Facebook',
  twitter: 'X',
  instagram_dm: 'Instagram',
  api: 'API',
  side_conversation: 'Side conversation',
}

/** Which tickets to read. Nothing is required: by default these are all that changed in the last 12 months. */
export async function choices(context: Context): Promise<Choice[]> {
  const brands = await listAll(context, 'brands', Brands)
  const groups = await listAll(context, 'groups', Groups)
  return [
    {
      field: 'start_date',
      label: 'Start date',
      help: 'Tickets that changed since then are read, with all their comments. Without a date: the last 12 months.',
      kind: 'date',
      single: true,
      options: [],
    },
    {
      field: 'brands',
      label: 'Brands',
      help: 'Without a choice, tickets of every brand are read.',
      options: optionsOf(brands),
    },
    {
      field: 'groups',
      label: 'Groups',
      help: 'Without a choice, tickets of every group are read, and those without a group.',
      options: optionsOf(groups),
    },
    {
      field: 'skip_channels',
      label: 'Channels to leave out',
      help: 'Tickets that arrived through these channels are not read.',
      options: Object.entries(CHANNELS).map(([value, label]) => ({ value, label })),
    },
    {
      field: 'skip_tags',
      label: 'Tags to leave out',
      help: 'Tickets with one of these tags are not read. Separate tags with commas.',
      kind: 'text',
      options: [],
    },
  ]
}

const optionsOf = (named: readonly { id: number; name: string }[]) =>
  named
    .map(({ id, name }) => ({ value: String(id), label: name }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
