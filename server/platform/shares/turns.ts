import { randomUUID } from 'node:crypto'
import { finished, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineCache } from '../caches.ts'
import { ConfigError } from '../config/config.ts'
import { withoutWorkspace } from '../db/tenant.ts'
import { RetryLater } from '../http/errors.ts'
import { PreparedReply } from '../http/prepared-reply.ts'
import type { Services } from '../services.ts'
import { Lines } from './lines.ts'
import { type Holder, keysOf } from './share.ts'
import { endTurn, renewTurn, takeTurn } from './turn-store.ts'

/**
 * Calls that cost much, by their name in CALLS_AT_ONCE: how many run at once, over all processes and workspaces. `long`: they may run for
 * minutes, as they are read by slow clients.
 */
const KINDS = {
  exports: { atOnce: 16, long: true, busy: 'Other exports are running' },
  workspace_exports: { atOnce: 3, long: true, busy: 'Other exports are running' },
  reports: { atOnce: 4, long: false, busy: 'Other reports are being counted' },
  /** By meaning, and those for questions. */
  searches: { atOnce: 4, long: false, busy: 'Other searches by meaning are running' },
  /** Tools of the MCP server. */
  agent_calls: { atOnce: 8, long: false, busy: 'Other calls of agents are running' },
} as const

/** The name of a kind of calls that take turns. */
export type TurnKind = keyof typeof KINDS

type Rules = Readonly<Record<TurnKind, { atOnce: number; long: boolean; busy: string }>>
type Context = Pick<Services, 'caches' | 'db' | 'log' | 'now'>

/** How long a call waits before it is refused, and how often it checks whether it may run. */
const WAIT_MS = 10_000
const LOOK_MS = 200
/** How long a call still counts after its process has died. */
const LEASE_MS = 60_000
/** The calls of one person that wait in a process. Only the first of them is looked after. */
const MAX_WAITING = 40
const RETRY_SECONDS = 5

const rulesCache = defineCache('turns', ({ config }) => rulesFrom(config.callsAtOnce))

const linesCache = defineCache(
  'waiting calls',
  () => new Lines(MAX_WAITING, () => refusalOf('Other calls of yours wait')),
)

/**
 * Runs `work` when its turn has come: when fewer of this kind run than may at once, and the caller is within their share of them (see
 * `exceedsShare`; those who wait are calls that have not begun). A streamed reply keeps its turn until it is sent. A call waits up to ten seconds
 * by the clock of the services. Throws `too_many_requests` after that, and the reason of `signal` when nobody is interested any more. Not within
 * a transaction.
 */
export async function inTurn<T>(
  services: Context,
  kind: TurnKind,
  holder: Holder,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const rule = turnRules(services)?.[kind]
  if (!rule) return work()
  const turn = { kind, id: randomUUID(), ...keysOf(holder) }
  const within = (use: Parameters<typeof withoutWorkspace<void>>[1]) => withoutWorkspace(services.db, use)
  const later = () => new Date(services.now().getTime() + LEASE_MS)
  let lookedAt = services.now().getTime()
  let deadline = lookedAt + WAIT_MS

  const look = () =>
    withoutWorkspace(services.db, (tx) => takeTurn(tx, turn, { ...rule, now: services.now(), expiresAt: later() }))
  const begin = async () => {
    while (!signal.aborted && !(await look())) {
      const now = services.now().getTime()
      // A clock that was set back.
      if (now < lookedAt) deadline -= lookedAt - now
      lookedAt = now
      if (now >= deadline) throw refusalOf(rule.busy)
      await sleep(LOOK_MS)
    }
    signal.throwIfAborted()
  }
  const end = () =>
    within((tx) => endTurn(tx, turn)).catch((error: Error) =>
      services.log.warn({ kind, err: error.message }, 'the turn of a call could not be ended: it expires in a minute'),
    )

  let isStreamed = false
  let renewal: NodeJS.Timeout | undefined
  const settle = async () => {
    clearInterval(renewal)
    await end()
  }
  try {
    await services.caches.of(linesCache).take(`${kind} ${turn.workspace} ${turn.person}`, begin)
    renewal = setInterval(() => {
      within((tx) => renewTurn(tx, turn, later())).catch((error: Error) =>
        services.log.warn({ kind, err: error.message }, 'the turn of a call could not be renewed'),
      )
    }, LEASE_MS / 3).unref()
    const result = await work()
    if (result instanceof PreparedReply && result.body instanceof Readable) {
      isStreamed = true
      finished(result.body, () => void settle())
    }
    return result
  } finally {
    if (!isStreamed) await settle()
  }
}

/** The turns of this installation; null: none are taken. Throws a `ConfigError` when CALLS_AT_ONCE names a kind that does not exist. */
export function turnRules({ caches }: Pick<Services, 'caches'>): Rules | null {
  return caches.of(rulesCache)
}

function rulesFrom(set: Readonly<Record<string, number>> | null): Rules | null {
  if (set === null) return null
  const wrong = Object.keys(set).filter((name) => !Object.hasOwn(KINDS, name) || set[name] === 0)
  if (wrong.length > 0) {
    const names = Object.keys(KINDS).join(', ')
    throw new ConfigError(`CALLS_AT_ONCE takes at least 1 for each of ${names}; wrong: ${wrong.join(', ')}.`)
  }
  const entries = Object.entries(KINDS).map(([name, rule]) => [name, { ...rule, atOnce: set[name] ?? rule.atOnce }])
  return Object.fromEntries(entries) as Rules
}

function refusalOf(busy: string): RetryLater {
  return new RetryLater('too_many_requests', `${busy}: try again in a few seconds`, RETRY_SECONDS)
}
