import type { Choice, Connector } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { ChoiceView } from '@groundswell/contract/sources.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { callProvider } from './fresh-context.ts'
import type { ConnectionHooks } from './hooks.ts'
import { asking } from './refusal.ts'
import { requestSubscription } from './request-subscription.ts'
import { openSecrets, readable } from './secrets.ts'
import { type Connection, changeConnection } from './store.ts'
import { requireLive, requirePart } from './tile.ts'

/** The options, read from the provider now, and the current choice. */
export async function readChoices(
  services: Services,
  workspaceId: string,
  connector: Connector,
  signal: AbortSignal,
): Promise<ChoiceView[]> {
  const connection = await inWorkspace(services.db, workspaceId, (tx) => requireLive(tx, workspaceId, connector))
  const choices = await askChoices(services, connector, connection, signal)
  return choices.map(({ options, ...choice }) => ({
    ...choice,
    options: [...options],
    chosen: listOf(connection.settings[choice.field]),
  }))
}

/** Stores what was chosen and starts a sync. Fields and values that the provider does not offer are refused by name. */
export async function saveChoices(
  services: Services,
  workspaceId: string,
  connector: Connector,
  chosen: Record<string, string[]>,
  hooks: ConnectionHooks,
  signal: AbortSignal,
): Promise<void> {
  const asked = await inWorkspace(services.db, workspaceId, (tx) => requireLive(tx, workspaceId, connector))
  const choices = await askChoices(services, connector, asked, signal)
  for (const [field, values] of Object.entries(chosen)) refuseUnknown(choices, field, values)
  await inWorkspace(services.db, workspaceId, async (tx) => {
    const connection = await requireLive(tx, workspaceId, connector)
    const settings = { ...connection.settings, ...chosen }
    await changeConnection(tx, workspaceId, connection.id, { settings })
    await requestSubscription(services, tx, connector, connection)
    await hooks.sourceReady?.(tx, { workspaceId, connectionId: connection.id })
  })
}

function askChoices(
  services: Services,
  connector: Connector,
  connection: Connection,
  signal: AbortSignal,
): Promise<Choice[]> {
  const choices = requirePart(connector, 'choices', 'has nothing to choose from')
  readable(() => openSecrets(services, connection))
  return asking(() => callProvider(services, connection, (context) => choices(context, { search: {} }), signal))
}

function refuseUnknown(choices: readonly Choice[], field: string, values: readonly string[]): void {
  const options = new Set(choices.find((choice) => choice.field === field)?.options.map(({ value }) => value))
  const unknown = values.find((value) => !options.has(value))
  if (options.size > 0 && unknown === undefined) return
  const what = options.size > 0 ? 'It is no longer available' : 'There is no such choice'
  throw new ContractError('invalid_input', what, { [`body.${field}`]: what })
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
