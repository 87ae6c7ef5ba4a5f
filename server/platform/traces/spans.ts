import {
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { readFailure } from '../queue/failure.ts'
import { allowedFacts, type Facts } from './facts.ts'

/**
 * The only module that speaks to OpenTelemetry's interface. Without the SDK (`start.ts`) nothing here creates or keeps anything: parts of a
 * trace run their work as it is, and starts of one get the interface's own span that does nothing.
 */

/** The name of our spans' scope: no others leave the process. */
export const SCOPE = 'groundswell'

/** Spans that one start is linked to, beside its parent. */
const MAX_LINKS = 32

/** `name`: words of the program, never a text that somebody wrote. `follows`: the `traceparent` values of other spans that it follows from. */
export type Part = { name: string; kind?: 'internal' | 'client'; facts?: Facts; follows?: readonly string[] }

/** `from`: the `traceparent` values of the spans that it follows from, such as the senders of a job. If empty, it starts a trace. */
export type Start = { name: string; kind: 'server' | 'consumer'; facts?: Facts; from: readonly string[] }

/** A span that is being recorded, or would be. */
export interface Recorded {
  say(facts: Facts): void
  /** The work failed in this way, although it does not throw. */
  fail(type: string): void
}

/** A span whose end is a separate event. */
export interface OpenSpan {
  /** Runs this as a part of it. */
  within<T>(work: () => T): T
  /** `error`: the kind of the failure, if it failed. */
  end(facts: Facts, error?: string): void
}

const KINDS = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
} as const

/** The `traceparent` of the work that runs now, for a hand-over to other work of ours; undefined where it is not traced. */
export function currentParent(): string | undefined {
  if (!trace.getActiveSpan()) return undefined
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}

/** Whether the work that runs now is recorded. */
export function isRecorded(): boolean {
  return trace.getActiveSpan()?.isRecording() ?? false
}

/** Runs work as a part of the trace that it is in. Outside of one it is only run. */
export async function inPart<T>(part: Part, work: (span: Recorded) => Promise<T>): Promise<T> {
  const around = trace.getActiveSpan()
  if (!around) return work(UNRECORDED)
  const { traceId } = around.spanContext()
  const options = {
    kind: KINDS[part.kind ?? 'internal'],
    attributes: { ...allowedFacts(part.facts ?? {}) },
    links: linksTo(part.follows ?? []).filter((link) => link.context.traceId !== traceId),
  }
  return ourTracer().startActiveSpan(part.name, options, (span) => settle(span, work))
}

/** Runs work that starts a trace, or continues those that it follows from. */
export async function inStart<T>(start: Start, work: (span: Recorded) => Promise<T>): Promise<T> {
  const { parent, options } = optionsOf(start)
  return ourTracer().startActiveSpan(start.name, options, parent, (span) => settle(span, work))
}

/** The same for work that has no end of its own. */
export function openStart(start: Start): OpenSpan {
  const { parent, options } = optionsOf(start)
  const span = ourTracer().startSpan(start.name, options, parent)
  const inside = trace.setSpan(parent, span)
  return {
    within: (work) => context.with(inside, work),
    end(facts, error) {
      span.setAttributes({ ...allowedFacts(facts) })
      if (error !== undefined) recorded(span).fail(error)
      span.end()
    },
  }
}

/** The interface finds the SDK at each call, so that nothing is kept here. */
function ourTracer(): Tracer {
  return trace.getTracer(SCOPE)
}

async function settle<T>(span: Span, work: (span: Recorded) => Promise<T>): Promise<T> {
  const own = recorded(span)
  try {
    return await work(own)
  } catch (error) {
    own.fail(readFailure(error).kind)
    throw error
  } finally {
    span.end()
  }
}

const UNRECORDED: Recorded = { say: () => undefined, fail: () => undefined }

function recorded(span: Span): Recorded {
  return {
    say: (facts) => void span.setAttributes({ ...allowedFacts(facts) }),
    fail(type) {
      span.setAttributes({ ...allowedFacts({ 'error.type': type }) })
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
  }
}

/**
 * The parent is the first that is recorded, so that whoever looks at a recorded message finds what became of it; the others are links.
 */
function optionsOf({ kind, facts = {}, from }: Start) {
  const links = linksTo(from)
  const first = links.find(({ context: { traceFlags } }) => (traceFlags & TraceFlags.SAMPLED) !== 0) ?? links[0]
  const parent: Context = first ? trace.setSpanContext(ROOT_CONTEXT, first.context) : ROOT_CONTEXT
  const others = links.filter((link) => link !== first)
  return { parent, options: { kind: KINDS[kind], attributes: { ...allowedFacts(facts) }, links: others } }
}

/** A link to the first parent of each trace. */
function linksTo(parents: readonly string[]): Link[] {
  const byTrace = new Map<string, Link>()
  for (const traceparent of parents) {
    // `tracestate` holds what others wrote: it is not continued.
    const found = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }))
    if (found && !byTrace.has(found.traceId)) byTrace.set(found.traceId, { context: found })
    if (byTrace.size > MAX_LINKS) break
  }
  return [...byTrace.values()]
}
