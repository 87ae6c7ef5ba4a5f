import { randomUUID } from 'node:crypto'
import type { AppRefusalSample, TrackerVariants } from '../kit/sample.ts'
import { documentFor, type GivenContext, startEventReceiver, stopping } from '../kit/testing.ts'
import { stopBoth } from '../kit/worlds/events.ts'
import { NOWHERE, trackerWorld } from '../kit/worlds/tracker.ts'
import { type GitHubOptions, type GitHubSandbox, startGitHub } from '../sandbox/github/github.ts'
import type { Repository } from '../sandbox/github/hub.ts'
import type { Installation } from '../sandbox/github/sign-in.ts'
import { mintToken } from './installation.ts'
import { receive } from './receive.ts'
import { tracker as issues } from './tracker.ts'

export const SECRET = 'a webhook secret'
export const REDIRECT = 'https://fb.example/api/oauth'

/** A sandbox that stops automatically at the end of a test. */
export const openGitHub = async (options: GitHubOptions = {}) => stopping(await startGitHub(options))

const place = {
  settings: ({ signIns }: GitHubSandbox): Record<string, unknown> => ({
    name: signIns.login,
    login: signIns.login,
    repository: ['acme/support'],
    labels: ['feedback'],
  }),
  secrets: ({ signIns }: GitHubSandbox) => ({ token: signIns.token }),
}
const world = trackerWorld(issues, place)
/** Where a server is connected: its address is the only one that is used. */
const serverWorld = trackerWorld(issues, {
  ...place,
  settings: (sandbox: GitHubSandbox) => ({ ...place.settings(sandbox), server: sandbox.url }),
  baseUrl: () => NOWHERE,
})
export const { contextFor } = world

/** The repository that is chosen. */
export function supportOf({ hub }: GitHubSandbox): Repository {
  const repository = hub.find('acme/support')
  if (!repository) throw new Error('There is no acme/support')
  return repository
}

/** A repository that the sign-in may not see. */
function hiddenRepository({ hub }: GitHubSandbox): Repository {
  return Object.assign(hub.addRepository('acme', `hidden-${hub.repositories.length}`), { hidden: true })
}

function changesIn(sandbox: GitHubSandbox) {
  const support = supportOf(sandbox)
  return {
    items: () =>
      support.issues.map(({ id, state, title, body, labels, comments }) => ({
        id: String(id),
        open: state === 'open',
        text: [title, body, ...labels].join('\n'),
        comments: comments.map((comment) => comment.body),
      })),
    lagSearch: (on: boolean) => sandbox.hub.lag(on),
    retitle: (id: string, title: string) => {
      const issue = support.issues.find((one) => String(one.id) === id)
      if (issue) issue.title = title
    },
    close: (id: string) => sandbox.setState(id, 'closed', 'completed'),
    decline: (id: string) => sandbox.setState(id, 'closed', 'not_planned'),
    reopen: (id: string) => sandbox.setState(id, 'open', 'reopened'),
    delete: (id: string) => sandbox.remove(id),
    move: (id: string) => void sandbox.transfer(id, hiddenRepository(sandbox)),
  }
}

export const tracker = world.sample(startGitHub, changesIn)

/** Servers of one's own, for the conformance suite. */
export const variants: TrackerVariants = {
  'GitHub Enterprise Server': serverWorld.sample(() => startGitHub({ enterprise: '3.14.2' }), changesIn),
}

/** A sandbox with a context, and an insight to push to it. */
export async function opened(given: GivenContext = {}) {
  const github = await openGitHub()
  const run = world.insightIn(github, contextFor(github, given))
  return { ...run, support: supportOf(github), hide: () => hiddenRepository(github) }
}

/** A sandbox with the app installed, and a context that is connected as this installation. */
export async function installed(given: GivenContext = {}) {
  const github = await openGitHub()
  const installation = github.signIns.install('acme')
  const app = github.signIns.app()
  const settings = settingsOfInstallation(github, installation)
  const start = contextFor(github, { ...given, settings: { ...settings, ...given.settings }, secrets: {} })
  const { secrets, expiresAt } = await mintToken(start, app, String(installation.id))
  return { ...github, installation, app, context: { ...start, secrets }, expiresAt }
}

function settingsOfInstallation({ signIns }: GitHubSandbox, { id }: Installation): Record<string, unknown> {
  return { name: 'acme', login: `${signIns.slug}[bot]`, installation_id: String(id) }
}

/** An installation whose webhook is received as the core does. */
export async function subscribed() {
  const github = await installed()
  const receiver = await startEventReceiver((request) => receive({ webhook_secret: SECRET }, request, new Date()))
  Object.assign(github.webhooks, { url: receiver.url, secret: SECRET })
  const create = () => issues.create(github.context, { document: documentFor(randomUUID()), reopen: false })
  return {
    ...github,
    received: receiver.received,
    refused: receiver.refused,
    create,
    [Symbol.asyncDispose]: () => stopBoth(github, receiver),
  }
}

/** The requests so far, as method and path. */
export const asked = ({ calls }: Pick<GitHubSandbox, 'calls'>) => calls.map(({ method, path }) => `${method} ${path}`)

export const appRefusal: AppRefusalSample = { status: 401, body: { message: 'A JSON web token could not be decoded' } }
