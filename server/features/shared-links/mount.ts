import type { FastifyReply, FastifyRequest } from 'fastify'
import { openLink } from '../../auth/index.ts'
import type { Mount } from '../../platform/http/create.ts'
import { errorAnswer } from '../../platform/http/errors.ts'
import type { Services } from '../../platform/services.ts'
import { insightPage } from './insight-page.ts'
import { messagePage, PAGE_POLICY } from './page.ts'
import { viewPage } from './view-page.ts'

/** The same for links that are unknown, revoked and expired: it must not say that there was one. */
const GONE = messagePage(
  'This link does not work',
  'It may have expired or been revoked, or the address is incomplete. Ask the person who sent it to you for a new one.',
)

/** The pages of read-only links, which the server renders itself: the web app has no screen that works without a sign-in. */
export function sharedPages(services: Services): Mount {
  const log = services.log.child({ part: 'shared-links' })
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, body, fault } = errorAnswer(error)
    // Without the path, which holds the token.
    if (fault) log.error({ id: request.id, err: error instanceof Error ? error.message : typeof error }, 'failed')
    if (status === 429) return send(reply, status, messagePage('Too many requests', 'Wait a minute and try again.'))
    return status < 500 ? send(reply, 404, GONE) : send(reply, status, messagePage('Not available', body.message))
  }
  return {
    prefix: '/api/shared',
    refuse,
    async register(app) {
      app.setErrorHandler(refuse)
      app.get('/:token', async (request, reply) => {
        const { token } = request.params as { token: string }
        const opened = await openLink(services, token, request.ip, async (tx, link) => {
          const { workspaceId, issueNumber, viewId } = link
          if (issueNumber !== null) return insightPage(tx, workspaceId, issueNumber, link, services.now())
          return viewId === null ? null : viewPage(tx, workspaceId, viewId, link, services.now())
        })
        return opened ? send(reply, opened.status, opened.page) : send(reply, 404, GONE)
      })
    },
  }
}

function send(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': PAGE_POLICY,
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(page)
}
