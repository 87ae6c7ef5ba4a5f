import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Context, EventOutcome, ProviderEvents } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import type { HelpScoutSandbox } from '../sandbox/helpscout/control.ts'
import { handleEvent } from './handle-event.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { openHelpScout, signedIn } from './testing.ts'

/** As the core makes it: 32 random bytes in base64url, which is longer than Help Scout takes. */
export const SECRET = `${'kJ3v'.repeat(10)}end`
/** Requests are signed without a time. */
const NOW = new Date('2026-03-01T12:00:00Z')

export type Live = AsyncDisposable & {
  sandbox: HelpScoutSandbox
  context: Context
  url: string
  /** Ids of events that arrived again. */
  repeated: string[]
  refused: () => number
  /** While a status is set, the address responds with it. */
  respond: (status: number | null) => void
  /** The outcomes of all events since the last call. */
  outcomes: (context?: Context) => Promise<EventOutcome[]>
}

/** A sandbox whose events arrive at a real address and are parsed and handled as the core does. */
export async function openLive(): Promise<Live> {
  const sandbox = await openHelpScout()
  const taken = new Map<string, ProviderEvents['events'][number]>()
  const repeated: string[] = []
  let refused = 0
  let status: number | null = null
  let secrets: Record<string, string> = {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (status !== null) return void response.writeHead(status).end()
      try {
        const asked = { method: 'POST', key: 'k', headers: request.headers, body: Buffer.concat(chunks) }
        const { reply, events } = receive(secrets, asked, NOW)
        for (const event of events) {
          if (taken.has(event.id)) repeated.push(event.id)
          taken.set(event.id, event)
        }
        response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body)
      } catch (error) {
        refused += 1
        response.writeHead(error instanceof Rejected ? 403 : 500).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/helpscout/events/k`
  const context = await signedIn(sandbox)
  secrets = (await subscriptions.ensure(context, { url, secret: SECRET, previous: null })).secrets ?? {}
  return {
    sandbox,
    context,
    url,
    repeated,
    refused: () => refused,
    respond: (next) => {
      status = next
    },
    outcomes: async (with_ = context) => {
      await sandbox.webhooks.settled()
      const events = [...taken.values()]
      taken.clear()
      return await Promise.all(events.map(({ payload }) => handleEvent(with_, JSON.parse(JSON.stringify(payload)))))
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
