import { expect, test } from 'vitest'
import { silentLog } from '../log/log.ts'
import { startTraces } from '../traces/start.ts'
import { readConfig } from './config.ts'

const at = 'http://127.0.0.1:4318'

test.each<[Record<string, string>, string | undefined]>([
  [{}, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
  [{ OTEL_SERVICE_NAME: 'feedback' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: at }, 'http/protobuf'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${at}/v1/traces` }, 'http/protobuf'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json'],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: at,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    },
    'http/json',
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_SDK_DISABLED: 'TRUE' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_SDK_DISABLED: 'no' }, 'http/protobuf'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_TRACES_EXPORTER: 'none' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_TRACES_EXPORTER: 'console, otlp' }, 'http/protobuf'],
])('%o: traces by %s', (env, protocol) => {
  expect(readConfig(env).traces).toEqual(protocol && { protocol })
})

test.each(['collector:4318', 'collector', 'http//collector'])('%s is no address of a receiver', (address) => {
  const wrong = 'These settings are wrong:\n  OTEL_EXPORTER_OTLP_ENDPOINT must be a web address'
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: address })).toThrow(wrong)
})

test('a protocol that is not spoken is told, and nothing is sent', async () => {
  const told: unknown[] = []
  const log = Object.assign(silentLog(), { warn: (fields: unknown) => void told.push(fields) })
  const process = { role: 'serve', version: '0' }
  expect(await startTraces({ config: { traces: { protocol: 'grpc' } }, log }, process)).toBeUndefined()
  expect(told).toEqual([{ protocol: 'grpc' }])
})
