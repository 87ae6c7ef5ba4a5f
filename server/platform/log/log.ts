import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import pretty from 'pino-pretty'
import type { LogLevel } from '../config/config.ts'

/** The one logger; parts of the product get a child of it by `log.child({ part: 'queue' })`. */
export type Log = Logger

const SECRET_NAMES = [
  'authorization',
  'Authorization',
  'cookie',
  'Cookie',
  'set-cookie',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'client_token',
  'client_secret',
  'api_key',
  'apiKey',
  'secret',
  'secrets',
]

/** pino matches whole paths, not names, so every name is listed for the depths at which our log lines have objects. */
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => {
  const key = `["${name}"]`
  return [key, `*${key}`, `*.*${key}`, `*.*.*${key}`]
})

/**
 * Makes the logger: JSON lines, readable lines when standard output is a terminal. Values under the usual names
 * of secrets are redacted down to four levels; that is a safety net, not a licence to log them.
 */
export function createLog(options: { logLevel?: LogLevel; name?: string; destination?: DestinationStream } = {}): Log {
  const settings: LoggerOptions = {
    level: options.logLevel ?? 'info',
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    base: options.name === undefined ? null : { name: options.name },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  }
  if (options.destination) return pino(settings, options.destination)
  if (process.stdout.isTTY) return pino(settings, pretty({ ignore: 'pid,hostname', singleLine: true, sync: true }))
  return pino(settings)
}

/** A logger without output, for tests and for commands whose output is their result. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}
