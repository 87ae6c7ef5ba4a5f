import { ContractError } from '@groundswell/contract/errors.ts'
import type { HostedAuth } from '../../platform/config/hosted-auth.ts'
import type { Services } from '../../platform/services.ts'

/** The hosted project's reply: the body of a 2xx, or the code and message of its refusal. */
export type ProjectReply = { ok: true; body: unknown } | { ok: false; code: string; message: string }

type Ask = { method?: 'GET' | 'POST'; token?: string; body?: unknown }

const TIMEOUT_MS = 10_000
const PROTOCOL_VERSION = '2024-01-01'
const UNREACHABLE = 'The hosted sign-in service cannot be reached: try again in a moment'
const REFUSES_US = "The hosted sign-in service refuses this server's calls: ask its operator"

/** The hosted project of this installation. Throws when there is none, which is a programming error. */
export function hostedProject({ config }: Pick<Services, 'config'>): HostedAuth {
  if (!config.hostedAuth) throw new Error('no hosted project is configured')
  return config.hostedAuth
}

/**
 * Calls the hosted project below /auth/v1. Throws `not_ready` (503) when it cannot be reached, fails, or rejects this server
 * rather than the person, so that none of these looks like a refused sign-in.
 */
export async function callProject(
  services: Pick<Services, 'config' | 'log'>,
  path: string,
  { method = 'GET', token, body }: Ask = {},
): Promise<ProjectReply> {
  const { url, key } = hostedProject(services)
  let status: number
  let answer: unknown
  try {
    const response = await fetch(`${url}/auth/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        apikey: key,
        'x-supabase-api-version': PROTOCOL_VERSION,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    status = response.status
    answer = readJson(await response.text())
  } catch (error) {
    throw unavailable(services, path, UNREACHABLE, reasonOf(error))
  }
  if (status >= 200 && status <= 299) return { ok: true, body: answer }
  const { code, message } = (answer ?? {}) as { code?: unknown; message?: unknown }
  if (status >= 500) throw unavailable(services, path, UNREACHABLE, `status ${status}`)
  // The service's own refusals have a code. One without comes from the gateway in front of it, such as for a wrong key.
  if (status < 400 || typeof code !== 'string') throw unavailable(services, path, REFUSES_US, `status ${status}`)
  return { ok: false, code, message: typeof message === 'string' ? message : code }
}

function unavailable(services: Pick<Services, 'log'>, path: string, message: string, reason: string): ContractError {
  const call = path.split('?', 1)[0]
  services.log.warn({ part: 'hosted', call, reason }, 'the hosted project failed')
  return new ContractError('not_ready', message)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return error.cause instanceof Error ? error.cause.message : error.message
}
