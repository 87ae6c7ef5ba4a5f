import { connectorById } from '@groundswell/connectors/index.ts'
import { newSigningSecret, OLD_SECRET_MS } from '@groundswell/connectors/kit/webhooks/standard-webhooks.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { open, SealError, seal } from '../../../platform/secrets/seal.ts'
import type { Services } from '../../../platform/services.ts'
import type { Connection } from '../store.ts'

/** What is sealed in a connection: the secret fields of its form, and what signs the data that it is sent. */
export type ConnectionSecrets = {
  fields: Record<string, string>
  signing?: { current: string; old?: { secret: string; until: string } }
}

/** The secrets were sealed with another key. `kind` tells the queue not to retry. */
export class UnreadableSecrets extends Error {
  override name = 'UnreadableSecrets'
  readonly kind = 'auth'
}

/** Seals the secrets of one connection; they open for this connection only. */
export function sealSecrets(services: Pick<Services, 'key'>, connectionId: string, secrets: ConnectionSecrets): string {
  return seal(services.key, JSON.stringify(secrets), sealedForConnection(connectionId))
}

/**
 * Opens the secrets of a connection, or throws `UnreadableSecrets` with a message for its owner. A secret field that an earlier
 * version stored in plain text is read from there until `sealPlainFields` has sealed it.
 */
export function openSecrets(
  services: Pick<Services, 'key'>,
  connection: Pick<Connection, 'id' | 'connector' | 'settings' | 'sealedSecrets'>,
): ConnectionSecrets {
  const plain = plainFields(connection)
  if (connection.sealedSecrets === null) return { fields: plain }
  try {
    const text = open(services.key, connection.sealedSecrets, sealedForConnection(connection.id))
    const secrets = JSON.parse(text) as ConnectionSecrets
    return { ...secrets, fields: { ...plain, ...secrets.fields } }
  } catch (cause) {
    if (!(cause instanceof SealError)) throw cause
    throw new UnreadableSecrets('The secrets of this connection can no longer be decrypted: connect it again', {
      cause,
    })
  }
}

/**
 * The signing secrets for a connection that is connected again: those that the owner has already given to the receiver, or a new one.
 * Empty for a connector that does not sign.
 */
export function signingOf(
  services: Pick<Services, 'key'>,
  connection: Pick<Connection, 'id' | 'connector' | 'settings' | 'sealedSecrets'>,
): Pick<ConnectionSecrets, 'signing'> {
  if (!connectorById(connection.connector)?.manifest.signs) return {}
  return { signing: storedSigning(services, connection) ?? { current: newSigningSecret() } }
}

function storedSigning(...of: Parameters<typeof openSecrets>): ConnectionSecrets['signing'] {
  try {
    return openSecrets(...of).signing
  } catch (error) {
    if (error instanceof UnreadableSecrets) return undefined
    throw error
  }
}

/** The same secrets with a new signing secret; the previous one also signs for another day. */
export function rotateSigning(
  secrets: ConnectionSecrets,
  at: Date,
): ConnectionSecrets & { signing: { current: string } } {
  const until = new Date(at.getTime() + OLD_SECRET_MS).toISOString()
  const old = secrets.signing ? { old: { secret: secrets.signing.current, until } } : {}
  return { ...secrets, signing: { current: newSigningSecret(), ...old } }
}

/** The secrets as a connector's own schema names them. */
export function secretsForConnector({ fields, signing }: ConnectionSecrets, at: Date): Record<string, string> {
  const { current, old } = signing ?? {}
  return {
    ...fields,
    ...(current === undefined ? {} : { signing_secret: current }),
    ...(old !== undefined && Date.parse(old.until) > at.getTime() ? { signing_secret_old: old.secret } : {}),
  }
}

/** Reads secrets for a call: secrets that cannot be opened are reported as `not_configured`. */
export function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableSecrets) throw new ContractError('not_configured', error.message)
    throw error
  }
}

/** The secret fields of a connection that are stored in its settings, unsealed. */
export function plainFields({
  connector,
  settings,
}: Pick<Connection, 'connector' | 'settings'>): Record<string, string> {
  const names = connectorById(connector)?.manifest.secretFields ?? []
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = settings[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

/** What the secrets of a connection are sealed for. */
export function sealedForConnection(connectionId: string): string {
  return `connection:${connectionId}`
}
