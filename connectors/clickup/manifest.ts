import * as z from 'zod/mini'
import type { Context, Manifest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'

const Form = z.object({
  token: z
    .string()
    .check(
      z.trim(),
      z.minLength(20, 'An API token has at least 20 characters'),
      z.maxLength(512, 'An API token has at most 512 characters'),
      z.regex(/^pk_[\x21-\x7e]+$/, 'An API token starts with pk_'),
    ),
})

const Chosen = z.optional(z.nullable(z.array(z.string())))

/** The stored settings of a connection. Workspace, space, folder and list are ids, `status` is a name, `priority` a number as text. */
const ClickUpSettings = z.object({
  name: z.string(),
  workspace: Chosen,
  space: Chosen,
  folder: Chosen,
  list: Chosen,
  status: Chosen,
  priority: Chosen,
  assignee: Chosen,
  tags: Chosen,
})
type ClickUpSettings = z.infer<typeof ClickUpSettings>

/** A personal API token, or what a sign-in got. Neither ends. */
export const ClickUpSecrets = z.union([
  z.object({ token: z.string().check(z.minLength(1)) }),
  z.object({ access_token: z.string().check(z.minLength(1)) }),
])

/** The settings of a connection that is signed in. */
export function settingsOf({ settings }: Pick<Context, 'settings'>): ClickUpSettings {
  const parsed = ClickUpSettings.safeParse(settings)
  if (!parsed.success) throw new Rejected('ClickUp is not set up completely: connect it again')
  return parsed.data
}

/** The ids of the chosen workspace, space and list. Throws `Rejected` if one is missing. */
export function placeOf(context: Pick<Context, 'settings'>): { workspace: string; space: string; list: string } {
  const settings = settingsOf(context)
  const [workspace, space, list] = [settings.workspace?.[0], settings.space?.[0], settings.list?.[0]]
  if (workspace === undefined || space === undefined || list === undefined) {
    throw new Rejected('No list is chosen for ClickUp: choose one')
  }
  return { workspace, space, list }
}

/** The names of the tags that are entered, as ClickUp stores them. */
export function tagsOf(context: Pick<Context, 'settings'>): string[] {
  const entered = (settingsOf(context).tags ?? []).flatMap((text) => text.split(','))
  return [...new Set(entered.map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== ''))]
}

export const manifest: Manifest = {
  id: 'clickup',
  label: 'ClickUp',
  side: 'destination',
  info: 'Insights as tasks',
  logo: null,
  comingSoon: false,
  tile: true,
  formTitle: 'Paste an API token',
  fields: [
    {
      name: 'token',
      label: 'API token',
      kind: 'secret',
      required: true,
      placeholder: 'pk_…',
      help: 'In ClickUp: your avatar, Settings, Apps, API Token.',
    },
  ],
  secretFields: ['token'],
  form: Form,
  signs: false,
  describe: (settings) => ({
    name: typeof settings.name === 'string' && settings.name !== '' ? settings.name : 'ClickUp',
    userData: {},
  }),
  unconnected: {},
}
