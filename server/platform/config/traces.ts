/** Traces are sent where OpenTelemetry's own variables say so; its SDK reads the others itself. */
export type TraceSettings = { protocol: string }

/** The traces that the variables ask for; undefined when none are to be sent, a string when a variable is wrong. */
export function readTraces(given: Readonly<Record<string, string>>): TraceSettings | string | undefined {
  const where = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT
  if (where === undefined || given.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return undefined
  const exporters = (given.OTEL_TRACES_EXPORTER ?? 'otlp').split(',').map((name) => name.trim())
  if (!exporters.includes('otlp')) return undefined
  // The SDK would send to this machine instead.
  if (!/^https?:$/.test(URL.parse(where)?.protocol ?? '')) return 'OTEL_EXPORTER_OTLP_ENDPOINT must be a web address'
  const protocol = given.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? given.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf'
  return { protocol }
}
