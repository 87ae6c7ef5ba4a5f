import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import type { Sending } from './sdk.ts'

const PROTOCOLS: readonly string[] = ['http/protobuf', 'http/json']

/**
 * Starts sending traces where OpenTelemetry's variables ask for them; otherwise nothing is loaded. Called once in a process, before anything
 * that is to be traced. A receiver that is down or slow costs spans, never work.
 */
export async function startTraces(
  { config, log }: { config: Pick<Config, 'traces'>; log: Log },
  process: { role: string; version: string },
): Promise<Sending | undefined> {
  if (!config.traces) return undefined
  const { protocol } = config.traces
  if (!PROTOCOLS.includes(protocol)) {
    log.warn({ protocol }, `no traces are sent: OTEL_EXPORTER_OTLP_PROTOCOL must be ${PROTOCOLS.join(' or ')}`)
    return undefined
  }
  const { startSending } = await import('./sdk.ts')
  return startSending({ ...process, protocol, log: log.child({ part: 'traces' }) })
}
