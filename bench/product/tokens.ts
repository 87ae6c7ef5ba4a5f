import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { authenticate, authProtocol } from '@groundswell/server/auth/index.ts'
import { boot } from '@groundswell/server/boot.ts'
import { createAccount } from '@groundswell/server/features/accounts/index.ts'
import { readConfig } from '@groundswell/server/platform/config/config.ts'
import { createHttp } from '@groundswell/server/platform/http/create.ts'
import { type Figure, figure } from '../engine/figures.ts'

const TOKENS = 1_000
const ROUNDS = 5
const TARGET_MS = 0.2

type Session = { access_token: string; refresh_token: string }

/** The cost of verifying an access token, in milliseconds of CPU (all threads): the first time and later. */
export async function benchTokens(): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-bench-'))
  const config = readConfig({ GROUNDSWELL_DATA: folder, PORT: '0', LOG_LEVEL: 'silent', AUTH_RATE_LIMITS: 'off' })
  const { services, stop } = await boot(config, { stopWithParent: true })
  try {
    const find = authenticate(services)
    const app = await createHttp(services, { handlers: [], mounts: [authProtocol(services)], authenticate: find })
    const ask = async (grant: string, payload: Record<string, string>) => {
      const answer = await app.inject({ method: 'POST', url: `/auth/v1/token?grant_type=${grant}`, payload })
      return answer.json<Session>()
    }
    const person = { email: 'bench@example.com', password: 'any input at all', name: 'Bench' }
    await createAccount(services, person)
    let session = await ask('password', { email: person.email, password: person.password })
    const first: number[] = []
    const later: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const tokens: string[] = []
      for (let count = 0; count < TOKENS; count += 1) {
        session = await ask('refresh_token', { refresh_token: session.refresh_token })
        tokens.push(session.access_token)
      }
      first.push(await cost(tokens, find))
      later.push(await cost(tokens, find))
    }
    await app.close()
    return [
      figure('access token at first sight: CPU', 'ms', first, { atMost: TARGET_MS }),
      figure('access token seen before: CPU', 'ms', later),
    ]
  } finally {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function cost(tokens: readonly string[], find: (token: string) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (const token of tokens) {
    if ((await find(token)) === null) throw new Error('a good token was refused')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / tokens.length
}
