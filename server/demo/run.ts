import { rm } from 'node:fs/promises'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { startReceiver } from '@groundswell/connectors/sandbox/index.ts'
import { startApi } from '../api.ts'
import { boot } from '../boot.ts'
import { authenticate } from '../features/accounts/index.ts'
import { readConfig } from '../platform/config/config.ts'
import { type Running, runUntilStopped } from '../run-until-stopped.ts'
import { startWorker } from '../worker.ts'
import { type DemoAccount, DemoClient } from './client.ts'
import { feedTrickle, feedWeeks } from './feed.ts'
import { demoFolder } from './folder.ts'

const account: DemoAccount = {
  email: 'demo@tallybrook.example',
  password: 'feedback flows in',
  name: 'Dana Demo',
}

/** The product on throw-away data with a made-up company's feedback, until Ctrl-C. Nothing is left behind. */
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
    const folder = await demoFolder()
    undo.push(() => rm(folder, { recursive: true, force: true }))
    const given = readConfig()
    const { services, stop: stopServices } = await boot(
      {
        ...given,
        dataDir: path.join(folder, 'data'),
        databaseUrl: undefined,
        key: undefined,
        signup: 'open',
        allowPrivateAddresses: [...given.allowPrivateAddresses, '127.0.0.1', 'localhost'],
        logLevel: process.env.LOG_LEVEL ? given.logLevel : 'warn',
      },
      { stopWithParent: true },
    )
    undo.push(stopServices)
    const api = await startApi(services, { nextPorts: 50, say })
    undo.push(() => api.close())
    services.config.publicUrl ??= api.url
    await startWorker(services)

    const signing: { secret?: string } = {}
    const receiver = await startReceiver({ secret: () => signing.secret })
    undo.push(() => receiver.stop())
    const client = new DemoClient(`http://127.0.0.1:${api.port}`)
    await client.signUp(account)
    signing.secret = await client.connect('webhook', { webhook: receiver.hookUrl, client_token: 'demo-client-token' })

    say(`
Groundswell demo: ready in ${((performance.now() - began) / 1000).toFixed(1)} s

  App        ${api.url}
  Sign in    ${account.email}   password: ${account.password}
  or open    ${api.url}/api/auth/oauth-callback#access_token=${client.token}   (signed in already)
  Receiver   ${receiver.url}   shows what the webhook delivers, signatures checked

  Ctrl-C stops everything and removes the data.
`)
    const feeding = new AbortController()
    const fed = feed(client, services, feeding.signal)
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

async function feed(
  client: DemoClient,
  services: Parameters<typeof feedTrickle>[0],
  signal: AbortSignal,
): Promise<void> {
  try {
    await feedWeeks(client, services.now(), say, signal)
    say('\nNew messages now come in one by one. Watch the insights change.')
    const caller = await authenticate(services)(client.token)
    if (!caller) throw new Error('the demo account is gone')
    const count = await feedTrickle(services, caller.workspaceId, signal)
    say(`All ${count} new messages are in.`)
  } catch (error) {
    if (signal.aborted) return
    say(`The demo's feedback stopped: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
