import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { silentLog } from '../log/log.ts'
import { onlyAllowed } from './only-allowed.ts'

/** The spans of this process, as they would leave it. */
export type RecordedTraces = { spans: () => ReadableSpan[]; stop: () => void }

/** Traces this process, whatever the variables say, until `stop`. */
export function recordTraces(): RecordedTraces {
  const exporter = new InMemorySpanExporter()
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const spanProcessors = [new SimpleSpanProcessor(onlyAllowed(exporter, silentLog()))]
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }))
  return {
    spans: () => exporter.getFinishedSpans(),
    stop() {
      trace.disable()
      propagation.disable()
      context.disable()
    },
  }
}

/** A `traceparent` of a trace and a span whose ids are made of a digit. */
export function parentOf(digit: string, flags: '00' | '01' = '01'): string {
  return `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`
}

/** A span as it arrived at a receiver. Ids are in hex; `parent` is empty where there is none. */
export type SentSpan = {
  traceId: string
  id: string
  parent: string
  name: string
  links: { traceId: string; id: string }[]
  attributes: Record<string, string | number>
  failed: boolean
  resource: Record<string, string | number>
}

/** A small receiver of OTLP over HTTP, as protobuf or JSON. */
export type OtlpReceiver = {
  url: string
  spans: SentSpan[]
  /** Every byte of every request's body. */
  bytes: Buffer[]
  headers: IncomingHttpHeaders[]
  /** From now on requests are read and never answered. */
  hold(): void
  /** How many requests have no answer and were not given up by the sender. */
  open(): number
  stop(): Promise<void>
}

/** Starts one on this machine. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: SentSpan[] = []
  const bytes: Buffer[] = []
  const headers: IncomingHttpHeaders[] = []
  const unanswered = new Set<ServerResponse>()
  let holds = false
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bytes.push(body)
      headers.push(request.headers)
      const isJson = request.headers['content-type'] === 'application/json'
      if (request.url === '/v1/traces') spans.push(...(isJson ? spansOfJson(body) : spansOfProtobuf(body)))
      if (!holds) return response.end()
      unanswered.add(response)
      response.once('close', () => unanswered.delete(response))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bytes,
    headers,
    hold() {
      holds = true
    },
    open: () => unanswered.size,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type JsonAttribute = { key: string; value: { stringValue?: string; intValue?: number | string } }
type JsonSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  links?: { traceId: string; spanId: string }[]
  attributes?: JsonAttribute[]
  status?: { code?: number }
}
type JsonRequest = {
  resourceSpans: { resource: { attributes: JsonAttribute[] }; scopeSpans: { spans: JsonSpan[] }[] }[]
}

const ERROR = 2

function spansOfJson(body: Buffer): SentSpan[] {
  const values = (all: JsonAttribute[] = []) =>
    Object.fromEntries(all.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))
  const { resourceSpans } = JSON.parse(body.toString()) as JsonRequest
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        id: span.spanId,
        parent: span.parentSpanId ?? '',
        name: span.name,
        links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, id: spanId })),
        attributes: values(span.attributes),
        failed: span.status?.code === ERROR,
        resource: values(resource.attributes),
      })),
    ),
  )
}

/** The fields of a protobuf message by number: numbers, and bytes for everything with a length. */
class Message {
  readonly #fields = new Map<number, (Buffer | number)[]>()

  constructor(bytes: Buffer) {
    let at = 0
    const varint = () => {
      let value = 0
      for (let factor = 1; ; factor *= 128) {
        const byte = bytes[at++] ?? 0
        value += (byte & 127) * factor
        if (byte < 128) return value
      }
    }
    const take = (length: number) => bytes.subarray(at, (at += length))
    while (at < bytes.length) {
      const tag = varint()
      const wire = tag & 7
      const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : varint())
      this.#fields.set(tag >>> 3, [...(this.#fields.get(tag >>> 3) ?? []), value])
    }
  }

  /** Every message in a repeated field. */
  all(field: number): Message[] {
    return (this.#fields.get(field) ?? []).map((value) => new Message(value as Buffer))
  }

  one(field: number): Message {
    return this.all(field)[0] ?? new Message(Buffer.alloc(0))
  }

  bytes(field: number): Buffer {
    return (this.#fields.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)
  }

  text = (field: number) => this.bytes(field).toString()
  hex = (field: number) => this.bytes(field).toString('hex')
  number = (field: number) => (this.#fields.get(field)?.[0] as number | undefined) ?? 0
  has = (field: number) => this.#fields.has(field)
}

/** By the field numbers of opentelemetry/proto/trace/v1/trace.proto. */
function spansOfProtobuf(body: Buffer): SentSpan[] {
  const values = (all: Message[]) =>
    Object.fromEntries(
      all.map((pair) => {
        const value = pair.one(2)
        return [pair.text(1), value.has(1) ? value.text(1) : value.number(3)]
      }),
    )
  return new Message(body).all(1).flatMap((resourceSpans) =>
    resourceSpans.all(2).flatMap((scopeSpans) =>
      scopeSpans.all(2).map((span) => ({
        traceId: span.hex(1),
        id: span.hex(2),
        parent: span.hex(4),
        name: span.text(5),
        links: span.all(13).map((link) => ({ traceId: link.hex(1), id: link.hex(2) })),
        attributes: values(span.all(9)),
        failed: span.one(15).number(3) === ERROR,
        resource: values(resourceSpans.one(1).all(1)),
      })),
    ),
  )
}
