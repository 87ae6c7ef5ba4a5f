import type { Connector, Context, Subscription } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Log } from '../../../platform/log/log.ts'
import { readFailure } from '../../../platform/queue/failure.ts'
import type { Services } from '../../../platform/services.ts'
import { subscriptionUrl } from '../addresses.ts'
import { callProvider } from '../sign-in/fresh-context.ts'
import { type Connection, connectionById } from '../store.ts'
import { unreachableBecause } from './public-address.ts'
import { removeSubscriptionJob } from './subscription-jobs.ts'
import {
  hashOfKey,
  newSubscriptionSecrets,
  openSubscription,
  type SubscriptionSecrets,
  sealSubscription,
} from './subscription-key.ts'
import { noteSubscription, readSubscription, replaceKey, storeSubscription } from './subscription-store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** When a subscription is tried again that could not be created for a passing reason. */
const RETRY_MS = 15 * MINUTE_MS
/** The part of a subscription's life that is left when it is renewed. */
const RENEWAL_PART = 1 / 3

type Run = { signal: AbortSignal; log: Log }
type Subscriptions = NonNullable<Connector['subscriptions']>
type Made = Subscription & { secrets?: Record<string, string> }
type Work = { connection: Connection; secrets: SubscriptionSecrets; previous: Record<string, unknown> | null }

/**
 * Creates, renews or repairs the subscription of a connection. A failure never affects the connection: the tile shows a note, changes
 * arrive by polling, and the sweep tries again.
 */
export async function ensureSubscription(
  services: Services,
  { workspaceId, connectionId }: { workspaceId: string; connectionId: string },
  run: Run,
): Promise<void> {
  const work = await inWorkspace(services.db, workspaceId, (tx) => readWork(tx, services, workspaceId, connectionId))
  const subscriptions = work && connectorById(work.connection.connector)?.subscriptions
  if (!work || !subscriptions) return
  const unreachable = await unreachableBecause(services.config)
  if (unreachable !== null) return note(services, work.connection, unreachable, DAY_MS)
  let used = work.connection
  let made: Made
  try {
    const ensure = (context: Context, connection: Connection) => {
      used = connection
      return askFor(services, subscriptions, work, context)
    }
    made = await callProvider(services, work.connection, ensure, run.signal)
  } catch (error) {
    run.signal.throwIfAborted()
    return noteFailure(services, work.connection, error, run.log)
  }
  await store(services, used, work, made)
}

function askFor({ config }: Services, subscriptions: Subscriptions, work: Work, context: Context): Promise<Made> {
  const { connection, secrets, previous } = work
  const url = subscriptionUrl(config, connection.connector, secrets.key)
  return subscriptions.ensure(context, { url, secret: secrets.secret, previous })
}

async function readWork(tx: Tx, services: Services, workspaceId: string, connectionId: string): Promise<Work | null> {
  const connection = await connectionById(tx, workspaceId, connectionId)
  if (!connection || connection.disconnectedAt || connection.signedOut) return null
  const stored = await readSubscription(tx, workspaceId, connectionId, { lock: true })
  if (!stored) return null
  const known = openSubscription(services, connectionId, stored.sealed)
  if (known) return { connection, secrets: known, previous: stored.state }
  const secrets = newSubscriptionSecrets()
  const sealed = sealSubscription(services, connectionId, secrets)
  await replaceKey(tx, workspaceId, connectionId, { keyHash: hashOfKey(secrets.key), sealed })
  return { connection, secrets, previous: stored.state }
}

/** Stores what was created. Where the connection was disconnected meanwhile, it is removed again. */
async function store(
  services: Services,
  { workspaceId, id, sealedSecrets, renewAt }: Connection,
  work: Work,
  made: Made,
): Promise<void> {
  const { key } = work.secrets
  const sealed = sealSubscription(services, id, { ...work.secrets, secrets: made.secrets ?? work.secrets.secrets })
  const dueAt = nextCheck(made.expiresAt, services.now())
  await inWorkspace(services.db, workspaceId, async (tx) => {
    const stored = await readSubscription(tx, workspaceId, id, { lock: true })
    if (stored?.keyHash.equals(hashOfKey(key))) {
      await storeSubscription(tx, workspaceId, id, { sealed, state: made.state, expiresAt: made.expiresAt, dueAt })
      return
    }
    const renewal = renewAt?.toISOString() ?? null
    const job = { workspaceId, connectionId: id, sealedSecrets, renewAt: renewal, state: made.state, renewed: false }
    await services.queue.send(removeSubscriptionJob, job, { tx, key: id })
  })
}

function nextCheck(expiresAt: Date | null, now: Date): Date {
  const life = expiresAt ? expiresAt.getTime() - now.getTime() : Number.POSITIVE_INFINITY
  return new Date(now.getTime() + Math.max(MINUTE_MS, Math.min(DAY_MS, life * (1 - RENEWAL_PART))))
}

/** The connector's message. Any other error is a bug, whose message may contain anything. */
function noteFailure(services: Services, connection: Connection, error: unknown, log: Log): Promise<void> {
  const { kind, message, retryAfter } = readFailure(error)
  const known = typeof (error as { kind?: unknown } | null)?.kind === 'string'
  log.info({ connection: connection.id, kind: known ? kind : 'fault' }, 'a subscription could not be ensured')
  const reason = known ? message.replace(/\.$/, '') : 'its subscription could not be created'
  const passing = known && (kind === 'unavailable' || kind === 'rate-limited')
  return note(services, connection, reason, passing ? Math.max(RETRY_MS, (retryAfter ?? 0) * 1000) : DAY_MS)
}

async function note(services: Services, connection: Connection, reason: string, againMs: number): Promise<void> {
  const { workspaceId, id } = connection
  const text = {
    note: `Changes arrive by polling, because ${reason}`,
    dueAt: new Date(services.now().getTime() + againMs),
  }
  await inWorkspace(services.db, workspaceId, (tx) => noteSubscription(tx, workspaceId, id, text))
}
