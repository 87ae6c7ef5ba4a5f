import * as z from 'zod/mini'
import type { Choice, Connector, Context, HttpRequest, PushOutcome, PushRequest } from '../../connector.ts'
import { Rejected } from '../../kit/errors.ts'
import { failureOf } from '../../kit/failure.ts'
import { ledgerAnswer } from '../../kit/ledger.ts'

const Form = z.object({ token: z.string().check(z.trim(), z.minLength(1, 'Enter a token')) })
const List = z.optional(z.array(z.string()))
const Settings = z.object({
  team: z.optional(z.string()),
  project: List,
  kind: List,
  watchers: List,
  tags: List,
  prefix: List,
  since: List,
})
const Secrets = z.object({ token: z.string() })
const Named = z.array(z.object({ id: z.string(), name: z.string() }))

/**
 * A connector to the stand-in with every kind of choice: a required project, what depends on it, a list, a text and a date. `id` is that of
 * the connector in whose place a test puts it.
 */
export function pinboardConnector(id: string, side: 'source' | 'destination'): Connector {
  return {
    manifest: {
      id,
      label: 'Pinboard',
      side,
      info: side === 'source' ? 'Reads the notes of a project' : 'Insights as cards on a board',
      logo: null,
      comingSoon: false,
      tile: true,
      formTitle: 'Connect Pinboard',
      fields: [{ name: 'token', label: 'API token', kind: 'secret', required: true }],
      secretFields: ['token'],
      form: Form,
      signs: side === 'destination',
      describe: (settings) => ({ name: Settings.parse(settings).team ?? 'Pinboard', userData: {} }),
      unconnected: {},
    },
    choicesRequired: true,
    choices,
    async check(context) {
      const me = z.object({ id: z.string(), name: z.string() }).parse(await call(context, 'GET', '/me'))
      return { account: me.id, settings: { team: me.name }, secrets: Secrets.parse(context.secrets) }
    },
    ...(side === 'source' ? { pull } : { push, retrySchedule: [5, 60] }),
  }
}

/** Puts a connector in the place of another one. Returns what puts it back: the files of a worker share the connectors. */
export function replaceConnector(target: Connector, replacement: Connector): () => void {
  const original = { ...target }
  become(target, replacement)
  return () => become(target, original)
}

function become(target: Connector, other: Connector): void {
  for (const part of Object.keys(target)) Reflect.deleteProperty(target, part)
  Object.assign(target, other)
}

async function choices(context: Context, { search }: { search: Readonly<Record<string, string>> }): Promise<Choice[]> {
  const chosen = Settings.parse(context.settings)
  const projects = Named.parse(await call(context, 'GET', '/projects'))
  const found: Choice[] = [
    {
      field: 'project',
      label: 'Project',
      help: 'Where cards are.',
      single: true,
      required: true,
      options: options(projects),
    },
  ]
  const project = projects.find(({ id }) => id === chosen.project?.[0])
  if (project) {
    const kinds = Named.parse(await call(context, 'GET', `/projects/${project.id}/kinds`))
    const text = encodeURIComponent(search['watchers'] ?? '')
    const people = Named.parse(await call(context, 'GET', `/projects/${project.id}/people?q=${text}`))
    found.push(
      {
        field: 'kind',
        label: 'Card type',
        help: 'The type of new cards.',
        single: true,
        required: true,
        dependsOn: ['project'],
        options: options(kinds),
      },
      {
        field: 'watchers',
        label: 'Watchers',
        help: 'People who are told about new cards.',
        searchable: true,
        dependsOn: ['project'],
        options: options(people),
      },
    )
  }
  found.push(
    {
      field: 'tags',
      label: 'Tags',
      help: 'Added to each card.',
      options: ['customer', 'feedback', 'urgent', 'later'].map((tag) => ({
        value: tag,
        label: tag,
        ...(tag === 'urgent' || tag === 'later' ? { group: { id: 'G1', label: 'When' } } : {}),
      })),
    },
    { field: 'prefix', label: 'Title prefix', help: 'Before the name of the insight.', kind: 'text', options: [] },
    { field: 'since', label: 'Start date', help: 'Nothing older is used.', kind: 'date', options: [] },
  )
  return found
}

function options(named: z.infer<typeof Named>): Choice['options'] {
  return named.map(({ id, name }) => ({ value: id, label: name }))
}

async function* pull(context: Context) {
  const [project = ''] = Settings.parse(context.settings).project ?? []
  const reply = await call(context, 'GET', `/notes?project=${encodeURIComponent(project)}`)
  const notes = z.array(z.object({ id: z.string(), text: z.string() })).parse(reply)
  const items = notes.map(({ id, text }) => ({
    externalId: id,
    text,
    author: null,
    at: context.now(),
    link: null,
    thread: null,
    place: null,
  }))
  yield { items, cursor: null }
}

async function push(context: Context, { payload }: PushRequest): Promise<PushOutcome> {
  const { project, kind, prefix } = Settings.parse(context.settings)
  if (!project?.[0] || !kind?.[0]) throw new Rejected('Pinboard has no project to put cards in')
  const title = [prefix?.[0], payload.data.insight.issue_name].filter((part) => part !== undefined).join(' ')
  const card = { project: project[0], kind: kind[0], title }
  const reply = z.object({ key: z.string() }).parse(await call(context, 'POST', '/cards', card))
  return { status: 201, answer: ledgerAnswer(reply.key, []), durationMs: 1, remote: { id: reply.key, url: null } }
}

async function call(context: Context, method: HttpRequest['method'], path: string, body?: unknown): Promise<unknown> {
  const { token } = Secrets.parse(context.secrets)
  const answer = await context.http.request({
    method,
    url: `${context.baseUrl ?? 'https://pinboard.example'}${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: context.signal,
  })
  if (answer.status >= 200 && answer.status <= 299) return JSON.parse(answer.body)
  throw failureOf(answer, { who: 'Pinboard', now: context.now(), secrets: [token] })
}
