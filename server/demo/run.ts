import { rm } from 'node:fs/promises'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { connectorById } from '@groundswell/connectors/index.ts'
import {
  type DemoProvider,
  type DemoProviders,
  loadCompany,
  type SlackSandbox,
  startBoard,
  startDemoProviders,
  startOpenId,
  startReceiver,
  startSlack,
} from '@groundswell/connectors/sandbox/index.ts'
import { startApi } from '../api.ts'
import { boot } from '../boot.ts'
import { readConfig } from '../platform/config/config.ts'
import { type Running, runUntilStopped } from '../run-until-stopped.ts'
import { startWorker } from '../worker.ts'
import { type DemoAccount, DemoClient } from './client.ts'
import { seedEvals } from './evaluations.ts'
import { CHAT, feedTickets, feedTrickle, watchSyncs } from './feed.ts'
import { demoFolder } from './folder.ts'
import { refuseReach } from './reach.ts'
import { demoTags } from './tags.ts'

const account: DemoAccount = {
  email: 'demo@tallybrook.example',
  password: 'feedback flows in',
  name: 'Dana Demo',
}

/** How many ports after the usual one may be used where it is taken; none after one that was chosen. */
const NEXT_PORTS = 50
/** Small pages, so that one can watch the history being read. */
const PAGES = { perMinute: null, objects: 25 }

/** The product on temporary data with a made-up company's feedback, until Ctrl-C. Nothing is left behind. */
export function runDemo(): Promise<void> {
  return runUntilStopped(start)
}

async function start(): Promise<Running> {
  const began = performance.now()
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.reverse()) await step()
  }
  try {
    const given = readConfig()
    refuseReach(given)
    const folder = await demoFolder()
    undo.push(() => rm(folder, { recursive: true, force: true }))
    await seedEvals(path.join(folder, 'data'))
    const company = loadCompany()
    const providers = await startDemoProviders(company)
    const others = [...providers.sources, ...providers.trackers]
    for (const provider of others) undo.push(() => provider.stop())
    const slack = await startSlack({ company: company.filter(({ channel }) => !providers.posts.has(channel ?? '')) })
    undo.push(() => slack.stop())
    slack.limit(PAGES)
    const google = await startOpenId()
    undo.push(() => google.stop())
    const { services, stop: stopServices } = await boot(
      {
        ...given,
        dataDir: path.join(folder, 'data'),
        databaseUrl: undefined,
        databaseDirectUrl: undefined,
        databaseAuthUrl: undefined,
        databaseAdminUrl: undefined,
        key: undefined,
        signup: 'open',
        allowPrivateAddresses: [...given.allowPrivateAddresses, '127.0.0.1', 'localhost'],
        baseUrls: {
          ...given.baseUrls,
          ...Object.fromEntries(others.map(({ id, url }) => [id, url])),
          [CHAT]: slack.url,
        },
        appCredentials: slack.environment,
        google: { issuer: google.url, clientId: google.clientId, clientSecret: google.clientSecret },
        logLevel: process.env.LOG_LEVEL ? given.logLevel : 'warn',
      },
      { stopWithParent: true },
    )
    // The data is removed with the demo: there is no need to wait for running work.
    undo.push(() => stopServices({ graceSeconds: 1 }))
    const api = await startApi(services, { nextPorts: given.nextPorts === 0 ? 0 : NEXT_PORTS, say })
    undo.push(() => api.close())
    services.config.publicUrl ??= api.url
    slack.sendEventsTo(`http://127.0.0.1:${api.port}/api/${CHAT}/events`)
    await startWorker(services)

    const signing: { secret?: string } = {}
    const receiver = await startReceiver({ secret: () => signing.secret })
    undo.push(() => receiver.stop())
    const client = new DemoClient(`http://127.0.0.1:${api.port}`)
    await client.signUp(account)
    await client.saveTags(demoTags)
    await client.connect('webhook', { webhook: receiver.hookUrl, client_token: 'demo-client-token' })
    signing.secret = await client.signingSecret('webhook')
    // Before any feedback arrives, so that nothing is held. One tracker takes every insight; to the others a person pushes.
    for (const [index, tracker] of providers.trackers.entries()) {
      await connectProvider(client, tracker)
      if (index > 0) await client.pushAutomatically(tracker.id, false)
    }
    await client.signInAt(CHAT)
    await client.choose(CHAT, { all: true })
    for (const source of providers.sources) await connectProvider(client, source)
    const board = await startBoard(providers.trackers.flatMap(columnOf))
    undo.push(() => board.stop())
    const browser = await client.browserSignIn(account)

    say(`
Groundswell demo: ready in ${((performance.now() - began) / 1000).toFixed(1)} s

  App        ${api.url}
  Sign in    ${account.email}   password: ${account.password}
  or open    ${api.url}/api/auth/oauth-callback#${browser}   (signed in already)
  Receiver   ${receiver.url}   shows what the webhook delivers, signatures checked
  Trackers   ${board.url}   what was pushed to them; close a card there, and its insight is resolved
  Sources    ${listOf(['Slack', ...providers.sources.map(labelOf)])}: stand-ins on this machine; their history is being read
  Google     a stand-in too: "Sign in with Google" signs in as one of its made-up people

  Ctrl-C stops everything and removes the data.
`)
    const feeding = new AbortController()
    const fed = feed(client, slack, providers, feeding.signal)
    undo.push(async () => {
      feeding.abort()
      await fed
    })
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const listOf = (names: readonly string[]) => new Intl.ListFormat('en').format(names)
const labelOf = ({ id }: DemoProvider) => connectorById(id)?.manifest.label ?? id

const columnOf = (provider: DemoProvider) =>
  provider.board ? [{ id: provider.id, label: labelOf(provider), board: provider.board }] : []

async function connectProvider(client: DemoClient, { id, form }: DemoProvider): Promise<void> {
  await client.connect(id, form)
  if (connectorById(id)?.choices) await client.choose(id)
}

async function feed(
  client: DemoClient,
  slack: SlackSandbox,
  { sources, tickets, posts }: DemoProviders,
  signal: AbortSignal,
): Promise<void> {
  const tiles = [CHAT, ...sources.map(({ id }) => id)]
  try {
    await Promise.all([watchSyncs(client, tiles, say, signal), feedTickets(client, tickets, new Date(), say, signal)])
    say(`${await client.insightCount()} insights. New messages now come in one by one. Watch the insights change.`)
    const count = await feedTrickle(client, slack, posts, signal)
    say(`All ${count} new messages are in.`)
  } catch (error) {
    if (signal.aborted) return
    say(`The demo's feedback stopped: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
