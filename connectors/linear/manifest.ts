import * as z from 'zod/mini'
import type { Context, Manifest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'

const Form = z.object({
  api_key: z
    .string()
    .check(
      z.trim(),
      z.minLength(20, 'An API key has at least 20 characters'),
      z.maxLength(512, 'An API key has at most 512 characters'),
      z.regex(/^(?!lin_oauth_)[\x21-\x7e]+$/, 'An API key starts with lin_api_'),
    ),
})

const Chosen = z.optional(z.nullable(z.array(z.string())))

/** The stored settings of a connection. The choices are ids, `priority` is a number as text. */
const LinearSettings = z.object({
  name: z.string(),
  organization_id: z.string(),
  team: Chosen,
  project: Chosen,
  labels: Chosen,
  assignee: Chosen,
  state: Chosen,
  priority: Chosen,
  customer_requests: Chosen,
})
type LinearSettings = z.infer<typeof LinearSettings>

/** A personal API key, or what a sign-in got. */
export const LinearSecrets = z.union([
  z.object({ api_key: z.string().check(z.minLength(1)) }),
  z.object({ access_token: z.string().check(z.minLength(1)), refresh_token: z.optional(z.string()) }),
])

/** The settings of a connection that is signed in. */
export function settingsOf({ settings }: Pick<Context, 'settings'>): LinearSettings {
  const parsed = LinearSettings.safeParse(settings)
  if (!parsed.success) throw new Rejected('Linear is not set up completely: connect it again')
  return parsed.data
}

/** The id of the team whose issues are created. */
export function teamOf(context: Pick<Context, 'settings'>): string {
  const [team] = settingsOf(context).team ?? []
  if (team === undefined) throw new Rejected('No team is chosen for Linear: choose one')
  return team
}

export const manifest: Manifest = {
  id: 'linear',
  label: 'Linear',
  side: 'destination',
  info: 'Insights as issues',
  logo: null,
  comingSoon: false,
  tile: true,
  formTitle: 'Paste an API key',
  fields: [
    {
      name: 'api_key',
      label: 'API key',
      kind: 'secret',
      required: true,
      placeholder: 'lin_api_…',
      help: 'In Linear: Settings, Security & access, Personal API keys.',
    },
  ],
  secretFields: ['api_key'],
  form: Form,
  signs: false,
  describe: (settings) => ({
    name: typeof settings.name === 'string' && settings.name !== '' ? settings.name : 'Linear',
    userData: {},
  }),
  unconnected: {},
}
