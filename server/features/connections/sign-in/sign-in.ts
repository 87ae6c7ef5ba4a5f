import type { Connector, SignedIn } from '@groundswell/connectors/connector.ts'
import { withoutControls } from '@groundswell/contract/values/name.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { type ConnectionHooks, callConnected } from '../hooks.ts'
import { deletePauses } from '../pauses/pause-store.ts'
import { sealSecrets, signingOf } from '../sealing/secrets.ts'
import {
  type Connection,
  changeConnection,
  ensureConnection,
  lockConnecting,
  lockLiveConnection,
  reviveConnection,
} from '../store.ts'
import { releaseSubscription, requestSubscription } from '../subscriptions/request-subscription.ts'
import { lifeOf } from './credential-life.ts'
import { disconnectConnection } from './revoke.ts'

/**
 * Stores a sign-in. The same account gets its earlier connection back, even a disconnected one, so that nothing is read twice;
 * another account ends the live connection and gets a new one. Chosen settings stay, and so does the
 * signing secret of a live connection. A sync starts once the required choices are made.
 */
export async function storeSignIn(
  services: Services,
  workspaceId: string,
  connector: Connector,
  given: SignedIn,
  hooks: ConnectionHooks,
): Promise<void> {
  const { id } = connector.manifest
  const signedIn = { ...given, account: withoutControls(given.account) }
  await inWorkspace(services.db, workspaceId, async (tx) => {
    await lockConnecting(tx, workspaceId)
    const live = await lockLiveConnection(tx, workspaceId, id)
    const same = live !== null && (live.account === null || live.account === signedIn.account)
    if (live && !same) await releaseSubscription(services, tx, live)
    if (live && !same) await disconnectConnection(services, tx, live)
    const connection: Connection =
      (same ? live : await reviveConnection(tx, workspaceId, id, signedIn.account)) ??
      (await ensureConnection(tx, workspaceId, id)).connection
    const signing = signingOf(services, connection)
    await changeConnection(tx, workspaceId, connection.id, {
      account: signedIn.account,
      signedOut: false,
      settings: { ...connection.settings, ...signedIn.settings },
      sealedSecrets: sealSecrets(services, connection.id, { fields: signedIn.secrets, ...signing }),
      life: lifeOf(signedIn.expiresAt, services.now()),
      paused: false,
      error: null,
      lastTest: null,
    })
    await deletePauses(tx, workspaceId, connection.id)
    await requestSubscription(services, tx, connector, connection)
    await callConnected(hooks, tx, connector, connection)
  })
}
