import type * as z from 'zod/mini'
import type { Choice, Context } from '../connector.ts'
import { type Call, call, MissingPermission } from './client.ts'
import { TagList, Teams } from './schema.ts'
import { AUTHORS } from './selection.ts'

const ADMINS = 'Read admins'
const TAGS = 'Read tags'

/** Why a list is empty. Nothing else needs the permission. */
const lacking = (permission: string) =>
  `Not available: the app lacks the permission ${permission}. Allow it in Intercom’s Developer Hub under Authentication.`

/** Which conversations to read. Nothing is required: by default these are all that changed in the last 12 months. */
export async function choices(context: Context): Promise<Choice[]> {
  const teams = await list(context, { name: 'teams', path: '/teams', schema: Teams, permission: ADMINS })
  const tags = await list(context, { name: 'tags', path: '/tags', schema: TagList, permission: TAGS })
  return [
    {
      field: 'start_date',
      label: 'Start date',
      help: 'Conversations that changed since then are read, with all their messages. Without a date: the last 12 months.',
      kind: 'date',
      single: true,
      options: [],
    },
    {
      field: 'teams',
      label: 'Team inboxes',
      help:
        teams === null
          ? lacking(ADMINS)
          : 'Without a choice, conversations of every team are read, and unassigned ones.',
      options: optionsOf(teams?.teams),
    },
    {
      field: 'tags',
      label: 'Tags',
      help:
        tags === null
          ? lacking(TAGS)
          : 'Only conversations with one of these tags are read. Without a choice, all are.',
      options: optionsOf(tags?.data),
    },
    {
      field: 'authors',
      label: 'Authors',
      help: 'Whose messages are read. What teammates and bots write is context, never a mention. Without a choice: everyone’s.',
      options: Object.entries(AUTHORS).map(([value, { label }]) => ({ value, label })),
    },
  ]
}

/** Null where the app may not list them: the other choices still work. */
async function list<T extends z.ZodMiniType>(
  context: Context,
  asked: Call<T> & { permission: string },
): Promise<z.infer<T> | null> {
  try {
    return (await call(context, asked)).data
  } catch (error) {
    if (!(error instanceof MissingPermission)) throw error
    context.log.warn({ status: error.status }, error.message)
    return null
  }
}

const optionsOf = (named: readonly { id: string; name?: string | null | undefined }[] | null | undefined) =>
  (named ?? [])
    .map(({ id, name }) => ({ value: id, label: name || id }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
