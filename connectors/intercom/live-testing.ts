import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Context, EventOutcome, ProviderEvents } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { handleEvent } from './handle-event.ts'
import { receive } from './receive.ts'
import { openIntercom, signedIn } from './testing.ts'

/** For tests: a sandbox whose notifications arrive at a real address and are parsed and handled as the core does. */
export async function openLive() {
  const intercom = await openIntercom()
  const taken = new Map<string, ProviderEvents['events'][number]>()
  const repeated: string[] = []
  let refused = 0
  let answered = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      try {
        const asked = { method: 'POST', key: null, headers: request.headers, body: Buffer.concat(chunks) }
        const { reply, events } = receive({ client_secret: intercom.clientSecret }, asked, new Date())
        for (const event of events) {
          if (taken.has(event.id)) repeated.push(event.id)
          // As the core does: an event of another workspace is that of another connection.
          if (event.account === intercom.workspaceId) taken.set(event.id, event)
        }
        answered += 1
        response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body)
      } catch (error) {
        refused += 1
        response.writeHead(error instanceof Rejected ? 401 : 500).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  intercom.notifications.subscribe(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/intercom/events`)
  const context = await signedIn(intercom)
  return {
    intercom,
    context,
    repeated,
    refused: () => refused,
    answered: () => answered,
    /** The outcomes of all events since the last call. */
    outcomes: async (with_: Context = context): Promise<EventOutcome[]> => {
      await intercom.notifications.settled()
      const events = [...taken.values()]
      taken.clear()
      return await Promise.all(events.map(({ payload }) => handleEvent(with_, JSON.parse(JSON.stringify(payload)))))
    },
    [Symbol.asyncDispose]: async () => {
      await intercom.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
