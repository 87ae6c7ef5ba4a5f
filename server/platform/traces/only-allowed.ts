import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Log } from '../log/log.ts'
import { allowedFacts, allowedName } from './facts.ts'
import { SCOPE } from './spans.ts'

type SpanContext = ReturnType<ReadableSpan['spanContext']>

/** The number of a success in the exporter's results. */
const SUCCESS = 0

/**
 * The last gate before the network: only our own spans pass, with what `facts.ts` allows. A library that finds the same SDK could put requests and
 * prompts into its own spans. Also logs when sending starts to fail, and when it works again.
 */
export function onlyAllowed(exporter: SpanExporter, log: Log): SpanExporter {
  let failing = false
  return {
    export(spans, settled) {
      const own = spans.filter(({ instrumentationScope }) => instrumentationScope.name === SCOPE).map(cleaned)
      if (own.length === 0) return settled({ code: SUCCESS })
      exporter.export(own, (result) => {
        const failed = result.code !== SUCCESS
        if (failed && !failing) log.warn('traces could not be sent: they are dropped until the receiver answers')
        if (!failed && failing) log.info('traces are sent again')
        failing = failed
        // The failure is logged above; the SDK's message would quote addresses.
        settled({ code: result.code })
      })
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

function cleaned(span: ReadableSpan): ReadableSpan {
  const { kind, startTime, endTime, duration, ended, resource, instrumentationScope, parentSpanContext } = span
  const own = bare(span.spanContext())
  return {
    kind,
    startTime,
    endTime,
    duration,
    ended,
    resource,
    instrumentationScope,
    name: allowedName(span.name),
    spanContext: () => own,
    ...(parentSpanContext ? { parentSpanContext: bare(parentSpanContext) } : {}),
    attributes: { ...allowedFacts(span.attributes) },
    status: { code: span.status.code },
    links: span.links.map((link) => ({ context: bare(link.context) })),
    events: [],
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  }
}

/** Without `traceState`, which holds what others wrote. */
function bare({ traceId, spanId, traceFlags, isRemote }: SpanContext): SpanContext {
  return { traceId, spanId, traceFlags, ...(isRemote === undefined ? {} : { isRemote }) }
}
