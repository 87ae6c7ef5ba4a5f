import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ProviderRequest } from '../../connector.ts'
import type { SourceFault } from '../../kit/sample.ts'
import { answerWrongly, type FaultShapes } from '../faults.ts'
import { readBody } from '../request-body.ts'
import { sendJson, serve } from '../server.ts'
import { createFeed, type Feed, type Message, sameCursor } from './feed.ts'
import { createSignIns, type Reply, type SignIns } from './sign-in.ts'

/** What an event is about: a message, or the removal of the app. */
type HelpdeskEvent = { type: 'message.changed'; message: string } | { type: 'app.removed' }

export type Helpdesk = AsyncDisposable & {
  url: string
  account: { id: string; name: string }
  /** The workspace's own app, as its developer page shows it. */
  app: { client_id: string; client_secret: string; signing_secret: string }
  signIns: Pick<SignIns, 'token' | 'holds'>
  messages: Pick<Feed, 'all' | 'add' | 'edit' | 'remove'>
  /** Makes the next requests for messages fail, one each. */
  fault(kind: SourceFault): void
  /** An event as it is sent at a time, signed with the app's secret. */
  event(event: HelpdeskEvent, sent: Date): ProviderRequest
}

const INBOXES = [
  { id: 'support', name: 'Support' },
  { id: 'sales', name: 'Sales' },
]
const MAX_PAGE = 100

const shapes: FaultShapes = {
  limit: { error: 'too_many_requests' },
  revoked: { body: { error: 'invalid_token' } },
  emptyPage: (good, { searchParams }) => ({
    ...good,
    messages: [],
    next: sameCursor(searchParams.get('after')),
    has_more: true,
  }),
  wrongTypes: (good) => ({ ...good, messages: [{ id: 17, body: ['customer words'] }] }),
}

/**
 * A stand-in for a fictional help desk on loopback, with the API that `connectors/_template-source` reads: a feed of messages that
 * were added, edited or deleted, inboxes, OAuth, and signed events. `pageSize` shortens the pages.
 */
export async function startHelpdesk({ pageSize = MAX_PAGE } = {}): Promise<Helpdesk> {
  const app = { client_id: 'client-1', client_secret: `secret-${randomUUID()}`, signing_secret: `sign-${randomUUID()}` }
  const account = { id: 'tallybrook', name: 'Tallybrook' }
  const signIns = createSignIns({ clientId: app.client_id, clientSecret: app.client_secret })
  const feed = createFeed(Date.now)
  const faults: SourceFault[] = []

  const read = (path: string, query: URLSearchParams): Reply => {
    if (path === '/account') return ok(account)
    if (path === '/inboxes') return ok({ inboxes: INBOXES })
    if (path === '/messages') {
      const inboxes = query.get('inboxes')?.split(',') ?? []
      const size = Math.min(pageSize, Number(query.get('limit')) || MAX_PAGE)
      const { found, next, more } = feed.page(query.get('after'), inboxes, size)
      return ok({ messages: found.map(view), next, has_more: more })
    }
    const message = feed.find(/^\/messages\/(\w+)$/.exec(path)?.[1] ?? '')
    return message ? ok(view(message)) : { status: 404, body: { error: 'not_found' } }
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://helpdesk')
    const send = (reply: Reply) => sendJson(response, reply)
    if (pathname === '/oauth/authorize') {
      const location = signIns.allow(searchParams)
      return location ? void response.writeHead(303, { location }).end() : send({ status: 400, body: {} })
    }
    const form = new URLSearchParams(await readBody(request))
    if (pathname === '/oauth/token') return send(signIns.grant(form))
    if (!signIns.holds(request.headers.authorization)) return send({ status: 401, body: { error: 'invalid_token' } })
    if (pathname === '/oauth/revoke') return send(signIns.revoke(form))
    const good = () => read(pathname, searchParams)
    const fault = pathname === '/messages' ? faults.shift() : undefined
    if (fault === 'revoked') signIns.revokeAll()
    if (fault) return answerWrongly(fault, { request, response, good: () => good().body }, shapes)
    send(good())
  }
  const server = await serve(answer)
  return {
    url: server.url,
    account,
    app,
    signIns,
    messages: feed,
    fault: (kind) => faults.push(kind),
    event(event, sent) {
      const body = Buffer.from(JSON.stringify({ id: randomUUID(), account: account.id, ...event }))
      const timestamp = String(Math.floor(sent.getTime() / 1000))
      const signature = createHmac('sha256', app.signing_secret).update(`${timestamp}.`).update(body).digest('hex')
      const headers = { 'x-helpdesk-timestamp': timestamp, 'x-helpdesk-signature': `sha256=${signature}` }
      return { method: 'POST', headers, body }
    },
    [Symbol.asyncDispose]: server.stop,
  }
}

const ok = (body: Record<string, unknown>): Reply => ({ status: 200, body })

const view = ({ id, conversation, inbox, author, body, created, updated, deleted }: Message) =>
  deleted
    ? { id, inbox, deleted: true }
    : {
        id,
        conversation,
        inbox,
        author,
        body,
        created_at: new Date(created).toISOString(),
        updated_at: new Date(updated).toISOString(),
        url: `https://app.helpdesk.example/conversations/${conversation}`,
        deleted: false,
      }
