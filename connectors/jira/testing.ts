import { randomUUID } from 'node:crypto'
import type { Context } from '../connector.ts'
import type { AppRefusalSample } from '../kit/sample.ts'
import { documentFor, stopping, type TestContext } from '../kit/testing.ts'
import { subscribed as subscribedTo } from '../kit/worlds/events.ts'
import * as person from '../kit/worlds/sign-in.ts'
import { trackerWorld } from '../kit/worlds/tracker.ts'
import { type JiraSandbox, startJira } from '../sandbox/jira/jira.ts'
import type { Site } from '../sandbox/jira/site.ts'
import { oauth } from './oauth.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { tracker as issues } from './tracker.ts'

const redirectUrl = 'https://feedback.example.com/api/jira/callback'

/** A sandbox that stops automatically at the end of a test. */
export const openJira = async () => stopping(await startJira())

/** What is chosen: tasks of the first project. */
export const CHOSEN = { project: ['10000'], issue_type: ['10001'] }

const world = trackerWorld(issues, {
  settings: ({ signIns, sites }: JiraSandbox) => ({ host: sites[0].host, email: signIns.email, ...CHOSEN }),
  secrets: ({ signIns }: JiraSandbox) => ({ api_token: signIns.apiToken }),
})
export const { contextFor } = world

export const appOf = ({ signIns }: JiraSandbox) => ({
  client_id: signIns.clientId,
  client_secret: signIns.clientSecret,
})

const attempt = (sandbox: JiraSandbox, context: Context): person.Attempt => ({
  oauth,
  context,
  app: appOf(sandbox),
  redirectUrl,
  state: 'the state',
})

/** Decides on the consent page as a person does, and returns where the browser is sent. */
export const consent = (sandbox: JiraSandbox, context: Context, decision: 'allow' | 'cancel' = 'allow') =>
  person.consent(attempt(sandbox, context), decision)

/** A sign-in with OAuth, as the core does it. */
export const signIn = (sandbox: JiraSandbox, now: () => Date = () => new Date()) =>
  person.signIn(attempt(sandbox, { ...contextFor(sandbox, { secrets: {}, now }), settings: {} }))

/** A context that is connected with OAuth, with a project and a type chosen. */
export async function signedIn(sandbox: JiraSandbox, settings: Record<string, unknown> = {}): Promise<TestContext> {
  const { secrets, settings: own } = await signIn(sandbox)
  return { ...contextFor(sandbox, { secrets }), settings: { ...own, ...CHOSEN, ...settings } }
}

export const tracker = world.sample(startJira, (sandbox) => {
  const [site] = sandbox.sites
  return {
    items: () => itemsOf(site),
    lagSearch: (on) => site.lag(on),
    retitle: (id, title) => {
      const issue = site.issues.find((one) => one.id === id)
      if (issue) issue.fields['summary'] = title
    },
    close: (id) => sandbox.close(id),
    decline: (id) => sandbox.resolve(id, { id: '10001', name: "Won't Do" }),
    reopen: (id) => sandbox.reopen(id),
    delete: (id) => sandbox.remove(id),
    move: (id) => sandbox.hide(id),
  }
})

const itemsOf = (site: Site) =>
  site.issues
    .filter(({ visible }) => visible)
    .map(({ id, status, fields, comments }) => ({
      id,
      open: status.category !== 'done',
      text: [fields.summary, JSON.stringify(fields.description), JSON.stringify(fields.labels)].join('\n'),
      comments: comments.map(({ body }) => JSON.stringify(body)),
    }))

/** A sandbox with a context, and an insight to push to it. */
export async function opened(settings: Record<string, unknown> = {}) {
  const jira = await openJira()
  return { ...world.insightIn(jira, contextFor(jira, { settings })), site: jira.sites[0] }
}

/** A sandbox with a subscribed address, at which requests are received as the core does. */
export async function subscribed() {
  const jira = await openJira()
  const context = await signedIn(jira)
  const run = await subscribedTo(
    { ...jira, context },
    { subscriptions, secret: 'not used', receive: (_, request, now) => receive(appOf(jira), request, now) },
  )
  const create = () => issues.create(context, { document: documentFor(randomUUID()), reopen: false })
  return { ...run, site: jira.sites[0], create }
}

/** The requests to Jira's API, as method and path without the site. */
export const requestsOf = ({ calls }: Pick<JiraSandbox, 'calls'>) =>
  calls
    .filter(({ template }) => template !== null)
    .map(({ method, template }) => `${method} ${template?.slice(11) ?? ''}`)

export const appRefusal: AppRefusalSample = {
  status: 401,
  body: { error: 'access_denied', error_description: 'Unauthorized' },
}
