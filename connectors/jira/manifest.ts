import * as z from 'zod/mini'
import type { Context, Manifest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'

/** The host of a Jira Cloud site. A pasted address is reduced to it; anything that is another host is refused. */
const Host = z.pipe(
  z.pipe(
    z.string().check(z.trim(), z.toLowerCase(), z.maxLength(300)),
    z.transform((text: string) => /^https:\/\/([^/?#]+)(?:[/?#].*)?$/.exec(text)?.[1] ?? text),
  ),
  z
    .string()
    .check(
      z.maxLength(100, 'The address of a site has at most 100 characters'),
      z.regex(/^[a-z0-9-]+\.atlassian\.net$/, 'Enter the address of your site, such as acme.atlassian.net'),
    ),
)

const Form = z.object({
  host: Host,
  email: z.string().check(z.trim(), z.maxLength(254), z.regex(/^[^\s:@/]+@[^\s:@/]+$/, 'Enter an e-mail address')),
  api_token: z
    .string()
    .check(
      z.trim(),
      z.minLength(8, 'An API token has at least 8 characters'),
      z.maxLength(1024, 'An API token has at most 1,024 characters'),
      z.regex(/^[\x21-\x7e]+$/, 'No spaces or line breaks'),
    ),
})

const Chosen = z.optional(z.nullable(z.array(z.string())))
const CHOICES = {
  project: Chosen,
  issue_type: Chosen,
  labels: Chosen,
  components: Chosen,
  priority: Chosen,
  assignee: Chosen,
}

/** A site that a person allowed: its name, and its address where people read issues. */
const Site = z.object({ name: z.string(), url: z.nullable(z.string()) })
export type Site = z.infer<typeof Site>

/**
 * The stored settings: `host` and `email` of an API token, or the `sites` of a sign-in by their ids, and the chosen `site`. The
 * values of fields that the issue type requires are in further settings: `field-values.ts`.
 */
const JiraSettings = z.union([
  z.object({ ...CHOICES, host: Host, email: z.string() }),
  z.object({ ...CHOICES, sites: z.record(z.string(), Site), site: Chosen }),
])
type JiraSettings = z.infer<typeof JiraSettings>

const Secret = z.string().check(z.minLength(1))

/** An API token, or what a sign-in got. */
export const JiraSecrets = z.union([
  z.object({ api_token: Secret }),
  z.object({ access_token: Secret, refresh_token: z.optional(Secret) }),
])

/** The settings of a connection that is signed in. */
export function settingsOf({ settings }: Pick<Context, 'settings'>): JiraSettings {
  const parsed = JiraSettings.safeParse(settings)
  if (!parsed.success) throw new Rejected('Jira is not set up completely: connect it again')
  return parsed.data
}

/** The id of the chosen project; `Rejected` while none is chosen. */
export function projectOf(context: Pick<Context, 'settings'>): string {
  return chosenId(settingsOf(context).project, 'project')
}

/** The id of the chosen issue type; `Rejected` while none is chosen. */
export function issueTypeOf(context: Pick<Context, 'settings'>): string {
  return chosenId(settingsOf(context).issue_type, 'issue type')
}

function chosenId(chosen: readonly string[] | null | undefined, what: string): string {
  const id = chosen?.[0]
  // It becomes a part of paths and queries, where Jira's ids are numbers.
  if (id === undefined || !/^\d{1,18}$/.test(id)) throw new Rejected(`No ${what} is chosen for Jira: choose one`)
  return id
}

export const manifest: Manifest = {
  id: 'jira',
  label: 'Jira',
  side: 'destination',
  info: 'Insights as issues of a project',
  logo: null,
  comingSoon: false,
  tile: true,
  formTitle: 'Use an API token',
  fields: [
    {
      name: 'host',
      label: 'Site',
      kind: 'text',
      required: true,
      placeholder: 'acme.atlassian.net',
      help: 'The address of your Jira Cloud site.',
    },
    { name: 'email', label: 'E-mail', kind: 'text', required: true, help: 'Of the person that the token belongs to.' },
    {
      name: 'api_token',
      label: 'API token',
      kind: 'secret',
      required: true,
      help: 'At id.atlassian.com: Security, API tokens. Create one without scopes.',
    },
  ],
  secretFields: ['api_token'],
  form: Form,
  signs: false,
  describe: ({ host, sites, site }) => ({ name: nameOf(host, sites, site), userData: {} }),
  unconnected: {},
}

/** The name on the tile: of the site, where it is known which one. */
function nameOf(host: unknown, sites: unknown, site: unknown): string {
  if (typeof host === 'string' && host !== '') return host
  const known = z.record(z.string(), Site).safeParse(sites).data ?? {}
  const [chosen] = Chosen.safeParse(site).data ?? []
  const only = Object.keys(known).length === 1 ? Object.values(known)[0] : undefined
  const name = (chosen !== undefined && Object.hasOwn(known, chosen) ? known[chosen] : only)?.name
  return name === undefined || name === '' ? 'Jira' : name
}
