import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type OpenSpan, openStart } from '../traces/spans.ts'

/** The spans of the calls that are being answered. */
export type TracedCalls = {
  /** Runs the work of a call as a part of its span. */
  within<T>(request: FastifyRequest, work: () => T): T
}

/** The form of the header in W3C Trace Context. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/**
 * Gives each call a span, named by its route, that continues the caller's `traceparent`. Probes and files of the web app have none. Where traces are
 * off no hook is added.
 */
export function traceCalls(
  app: FastifyInstance,
  { isOn, routeOf }: { isOn: boolean; routeOf: (request: FastifyRequest) => string },
): TracedCalls {
  if (!isOn) return { within: (_, work) => work() }
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', async (request, reply) => {
    const route = routeOf(request)
    if (isUninteresting(route)) return
    const { traceparent } = request.headers
    const { method } = request
    const span = openStart({
      name: `${method} ${route}`,
      kind: 'server',
      facts: { 'http.request.method': method, 'http.route': route, 'groundswell.request': request.id },
      from: typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? [traceparent] : [],
    })
    spans.set(request, span)
    // Also when the client has gone before the reply.
    reply.raw.once('close', () => {
      const status = reply.statusCode
      if (!reply.raw.writableFinished) span.end({}, 'aborted')
      else span.end({ 'http.response.status_code': status }, status >= 500 ? String(status) : undefined)
    })
  })
  return {
    within(request, work) {
      const span = spans.get(request)
      return span ? span.within(work) : work()
    },
  }
}

function isUninteresting(route: string): boolean {
  return route === 'web' || /^\/api\/(health|live)$/.test(route)
}
