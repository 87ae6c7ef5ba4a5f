import * as z from 'zod/mini'
import type { Context, Manifest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { ServerAddress } from './server.ts'

const Form = z.object({
  server: ServerAddress,
  token: z
    .string()
    .check(
      z.trim(),
      z.minLength(20, 'A token has at least 20 characters'),
      z.maxLength(512, 'A token has at most 512 characters'),
      z.regex(/^(?!gh[osu]_)[\x21-\x7e]+$/, 'A personal access token starts with github_pat_'),
    ),
})

const Chosen = z.optional(z.nullable(z.array(z.string())))

/** `owner/name`, without anything that would be another path. */
const FullName = z.string().check(z.regex(/^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/))

/** The stored settings of a connection. `login` is the account that creates the issues; the choices are names. */
const GitHubSettings = z.object({
  name: z.string(),
  login: z.string(),
  /** Only for a GitHub App. */
  installation_id: z.optional(z.nullable(z.string())),
  repository: Chosen,
  labels: Chosen,
  assignee: Chosen,
})
type GitHubSettings = z.infer<typeof GitHubSettings>

const Secret = z.string().check(z.minLength(1))

/** A personal access token, or the token of an installation, which ends after an hour. */
export const GitHubSecrets = z.union([z.object({ token: Secret }), z.object({ access_token: Secret })])

/** Whether the sign-in is that of an installed app, not of a person. */
export function isInstallation({ secrets }: Pick<Context, 'secrets'>): boolean {
  const held = GitHubSecrets.safeParse(secrets).data
  return held !== undefined && 'access_token' in held
}

/** The settings of a connection that is signed in. */
export function settingsOf({ settings }: Pick<Context, 'settings'>): GitHubSettings {
  const parsed = GitHubSettings.safeParse(settings)
  if (!parsed.success) throw new Rejected('GitHub is not set up completely: connect it again')
  return parsed.data
}

/** The repository whose issues are created, as `owner/name`. */
export function repositoryOf(context: Pick<Context, 'settings'>): string {
  const [repository] = settingsOf(context).repository ?? []
  if (repository === undefined) throw new Rejected('No repository is chosen for GitHub: choose one')
  if (!isFullName(repository)) throw new Rejected('The chosen repository is not one of GitHub: choose another one')
  return repository
}

/** Whether a text is the name of a repository, `owner/name`. */
export const isFullName = (text: string) => FullName.safeParse(text).success

export const manifest: Manifest = {
  id: 'github',
  label: 'GitHub',
  side: 'destination',
  info: 'Insights as issues of a repository',
  logo: null,
  comingSoon: false,
  tile: true,
  formTitle: 'Paste a personal access token',
  fields: [
    {
      name: 'token',
      label: 'Personal access token',
      kind: 'secret',
      required: true,
      placeholder: 'github_pat_…',
      help: 'Fine-grained, for the repository of the issues, with the permission Issues: read and write.',
    },
    {
      name: 'server',
      label: 'Address of your GitHub Enterprise Server',
      kind: 'url',
      required: false,
      placeholder: 'https://github.example.com',
      help: 'Leave empty for GitHub.com. With data residency it is https://NAME.ghe.com.',
    },
  ],
  secretFields: ['token'],
  form: Form,
  signs: false,
  describe: (settings) => ({
    name: typeof settings.name === 'string' && settings.name !== '' ? settings.name : 'GitHub',
    userData: {},
  }),
  unconnected: {},
}
