import { context, type DiagLogger, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Log } from '../log/log.ts'
import { within } from '../within.ts'
import { onlyAllowed } from './only-allowed.ts'

/** The part of traces that loads OpenTelemetry's SDK. */
export type Sending = {
  /** Sends the remaining spans, for at most two seconds, and stops tracing. */
  stop: () => Promise<void>
}

const STOP_MS = 2_000

/** Registers the SDK, with what the standard variables say, for the interface that `spans.ts` uses. */
export async function startSending(options: {
  role: string
  version: string
  protocol: string
  log: Log
}): Promise<Sending> {
  const { role, version, log } = options
  // The SDK's own log lines quote addresses and responses; failures are reported below, without them.
  diag.setLogger(settingsOnly(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const named = { 'service.name': 'groundswell', 'service.version': version, 'groundswell.role': role }
  const resource = defaultResource()
    .merge(resourceFromAttributes(named))
    .merge(detectResources({ detectors: [envDetector] }))
  const exporter = onlyAllowed(await exporterFor(options.protocol), log)
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  log.info({ protocol: options.protocol }, 'traces are sent')
  return {
    async stop() {
      await within(provider.shutdown(), STOP_MS)
      trace.disable()
      propagation.disable()
      context.disable()
      diag.disable()
    },
  }
}

async function exporterFor(protocol: string): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

/** The SDK's messages about invalid variables. */
function settingsOnly(log: Log): DiagLogger {
  const say = (message: string) => {
    if (message.startsWith('OTEL_')) log.warn({ err: message.slice(0, 200) }, 'a setting of traces is wrong')
  }
  return { error: say, warn: say, info: () => undefined, debug: () => undefined, verbose: () => undefined }
}
