import { randomUUID } from 'node:crypto'
import type { Context } from '../connector.ts'
import type { AppRefusalSample, TrackerSample } from '../kit/sample.ts'
import {
  documentFor,
  type GivenContext,
  insightFor,
  startEventReceiver,
  stopping,
  type TestContext,
  testContext,
} from '../kit/testing.ts'
import { type JiraSandbox, startJira } from '../sandbox/jira/jira.ts'
import type { Site } from '../sandbox/jira/site.ts'
import { oauth } from './oauth.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { tracker as issues } from './tracker.ts'

const REDIRECT_URL = 'https://feedback.example.com/api/jira/callback'

/** A sandbox that stops automatically at the end of a test. */
export const openJira = async () => stopping(await startJira())

/** What is chosen: tasks of the first project. */
export const CHOSEN = { project: ['10000'], issue_type: ['10001'] }

/** A context that is connected by API token, with a project and a type chosen. */
export function contextFor(sandbox: JiraSandbox, given: GivenContext = {}): TestContext {
  const { signIns, sites } = sandbox
  return testContext({
    baseUrl: sandbox.url,
    secrets: { api_token: signIns.apiToken },
    ...given,
    settings: { host: sites[0].host, email: signIns.email, ...CHOSEN, ...given.settings },
  })
}

export const appOf = ({ signIns }: JiraSandbox) => ({
  client_id: signIns.clientId,
  client_secret: signIns.clientSecret,
})

/** Decides on the consent page as a person does, and returns where the browser is sent. */
export async function consent(sandbox: JiraSandbox, context: Context, decision = 'allow'): Promise<URL> {
  const url = oauth.authorizeUrl(context, appOf(sandbox), { redirectUrl: REDIRECT_URL, state: 'the state' })
  const body = new URLSearchParams([...new URL(url).searchParams, ['decision', decision]])
  const reply = await fetch(`${sandbox.url}/authorize`, { method: 'POST', body, redirect: 'manual' })
  return new URL(reply.headers.get('location') ?? '')
}

/** A sign-in with OAuth, as the core does it. */
export async function signIn(sandbox: JiraSandbox, now: () => Date = () => new Date()) {
  const context = { ...contextFor(sandbox, { secrets: {}, now }), settings: {} }
  const code = (await consent(sandbox, context)).searchParams.get('code') ?? ''
  return oauth.exchange(context, appOf(sandbox), { redirectUrl: REDIRECT_URL, code })
}

/** A context that is connected with OAuth, with a project and a type chosen. */
export async function signedIn(sandbox: JiraSandbox, settings: Record<string, unknown> = {}): Promise<TestContext> {
  const { secrets, settings: own } = await signIn(sandbox)
  return { ...contextFor(sandbox, { secrets }), settings: { ...own, ...CHOSEN, ...settings } }
}

export const tracker: TrackerSample = async () => {
  const sandbox = await startJira()
  const [site] = sandbox.sites
  return {
    baseUrl: sandbox.url,
    settings: { host: site.host, email: sandbox.signIns.email, ...CHOSEN },
    secrets: { api_token: sandbox.signIns.apiToken },
    items: () => itemsOf(site),
    requests: () => sandbox.calls,
    fault: (kind) => (kind === 'revoked' ? sandbox.signIns.end() : sandbox.faults.arm(kind)),
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
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

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
  const context = contextFor(jira, { settings })
  return { ...jira, site: jira.sites[0], context, ...insightFor(issues, context) }
}

/** A sandbox with a subscribed address, at which requests are received as the core does. */
export async function subscribed() {
  const jira = await openJira()
  const context = await signedIn(jira)
  const receiver = await startEventReceiver((request) => receive(appOf(jira), request, new Date()))
  const ensure = (previous: Record<string, unknown> | null = null, url = receiver.url) =>
    subscriptions.ensure(context, { url, secret: 'not used', previous })
  const made = await ensure()
  const create = () => issues.create(context, { document: documentFor(randomUUID()), reopen: false })
  return {
    ...jira,
    site: jira.sites[0],
    context,
    received: receiver.received,
    refused: receiver.refused,
    address: receiver.url,
    made,
    ensure,
    create,
    async [Symbol.asyncDispose]() {
      await jira.stop()
      await receiver[Symbol.asyncDispose]()
    },
  }
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
