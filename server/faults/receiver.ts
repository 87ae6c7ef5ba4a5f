import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'

/** One request that arrived completely. `overlaps`: another with the same id had not been answered yet. */
export type Arrival = {
  id: string
  type: string
  insightId: string
  issueNumber: number
  body: string
  overlaps: boolean
}

/** A webhook receiver that remembers everything and can withhold its responses. */
export type Receiver = {
  url: string
  arrivals: Arrival[]
  /** How many requests are waiting for a response. */
  open(): number
  /** From now on requests are read completely and not answered. */
  hold(): void
  /** Answers the withheld requests and all that follow. */
  release(): void
  stop(): Promise<void>
}

/** Starts a receiver on this machine, at this address. It answers 200 after `delayMs()` milliseconds. */
export async function startReceiver(delayMs: () => number = () => 0, address = '127.0.0.1'): Promise<Receiver> {
  const arrivals: Arrival[] = []
  const open = new Map<IncomingMessage, string>()
  let gate: PromiseWithResolvers<void> | undefined

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const id = String(request.headers['webhook-id'])
    const payload = WebhookPayload.parse(JSON.parse(body))
    const { insight } = payload.data
    const overlaps = [...open.values()].includes(id)
    arrivals.push({ id, type: payload.type, insightId: insight.id, issueNumber: insight.issue_number, body, overlaps })
    open.set(request, id)
    const gone = new Promise<void>((resolve) => response.once('close', resolve))
    void gone.then(() => open.delete(request))
    if (gate) await Promise.race([gate.promise, gone])
    else await pause(delayMs())
    response.end('thank you')
  }

  const server = createServer((request, response) => {
    receive(request, response).catch((error: Error) => {
      response.statusCode = 400
      response.end(error.message)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  return {
    url: `http://${address}:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    open: () => open.size,
    hold() {
      gate ??= Promise.withResolvers<void>()
    },
    release() {
      gate?.resolve()
      gate = undefined
    },
    async stop() {
      gate?.resolve()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
