import { isDeepStrictEqual } from 'node:util'
import type { Choice, Connector } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { ChoiceView } from '@groundswell/contract/sources.ts'
import { visibleName } from '@groundswell/contract/values/name.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { type ConnectionHooks, callChosen } from '../hooks.ts'
import { asking } from '../refusal.ts'
import { openSecrets, readable } from '../sealing/secrets.ts'
import { callProvider } from '../sign-in/fresh-context.ts'
import { type Connection, changeConnection } from '../store.ts'
import { requestSubscription } from '../subscriptions/request-subscription.ts'
import { requireLive, requirePart } from '../tile.ts'
import { type FieldLists, listOf, readFieldLists, withDraft } from './choice-draft.ts'
import { type AskChoices, validateChoices } from './validate-choices.ts'

/** What is sent with a call on choices: JSON texts, as in the contract. */
type ChoicesQuery = { draft?: string | undefined; search?: string | undefined }

/**
 * The choices, requested from the provider now, for the stored values with those of the draft in their place. Nothing is stored.
 */
export async function readChoices(
  services: Services,
  workspaceId: string,
  connector: Connector,
  query: ChoicesQuery,
  signal: AbortSignal,
): Promise<ChoiceView[]> {
  const draft = readFieldLists(query.draft, 'query.draft')
  const search = firstTexts(readFieldLists(query.search, 'query.search'))
  const connection = await inWorkspace(services.db, workspaceId, (tx) => requireLive(tx, workspaceId, connector))
  const settings = withDraft(connector, connection.settings, draft)
  const choices = await askerOf(services, connector, connection, signal)(settings, search)
  return choices.map((choice) => viewChoice(choice, settings, connection, Object.keys(draft).length > 0))
}

/**
 * Stores what was chosen, with its labels, and begins what waits for it: a source's sync, or holding what already qualifies for a
 * destination. Throws `invalid_input` with each wrong field, and `conflict` when the connection changed meanwhile.
 */
export async function saveChoices(
  services: Services,
  workspaceId: string,
  connector: Connector,
  given: { body: FieldLists; search?: string | undefined },
  hooks: ConnectionHooks,
  signal: AbortSignal,
): Promise<void> {
  const texts = readFieldLists(given.search, 'query.search')
  const asked = await inWorkspace(services.db, workspaceId, (tx) => requireLive(tx, workspaceId, connector))
  const ask = askerOf(services, connector, asked, signal)
  const draft = withDraft(connector, asked.settings, given.body)
  const { settings, chosen } = await validateChoices(ask, asked, { draft, submitted: given.body, texts })
  await inWorkspace(services.db, workspaceId, async (tx) => {
    const before = await requireLive(tx, workspaceId, connector)
    if (before.id !== asked.id || !isDeepStrictEqual(before.settings, asked.settings)) {
      throw new ContractError('conflict', 'The connection has changed in the meantime. Open the choices again')
    }
    await changeConnection(tx, workspaceId, before.id, { settings, chosen, ready: true })
    await requestSubscription(services, tx, connector, before)
    await callChosen(hooks, tx, connector, before)
  })
}

function askerOf(services: Services, connector: Connector, connection: Connection, signal: AbortSignal): AskChoices {
  const choices = requirePart(connector, 'choices', 'has nothing to choose from')
  readable(() => openSecrets(services, connection))
  const ask = (settings: Record<string, unknown>, search: Readonly<Record<string, string>>) =>
    asking(() => callProvider(services, connection, (context) => choices({ ...context, settings }, { search }), signal))
  return async (settings, search) => (await ask(settings, search)).map(visible)
}

/** Names at the provider, which people see and which are stored with what they chose. A value is sent back as it is. */
function visible({ label, options, ...choice }: Choice): Choice {
  return {
    ...choice,
    label: visibleName(label, choice.field),
    options: options.map((option) => ({ ...option, label: visibleName(option.label, option.value) })),
  }
}

/**
 * A choice for the screen. Values that are not offered for a draft are left out. Without a draft they are shown with their stored
 * labels: of a searchable choice only some options are listed, and another one's may have been deleted at the provider.
 */
function viewChoice(
  { dependsOn, options, ...choice }: Choice,
  settings: Record<string, unknown>,
  { chosen: stored }: Connection,
  isDraft: boolean,
): ChoiceView {
  const offered = new Set(options.map(({ value }) => value))
  const isClosed = (choice.kind ?? 'select') === 'select' && !choice.searchable
  const values = listOf(settings[choice.field]).filter((value) => !isDraft || !isClosed || offered.has(value))
  const labels = new Map(
    stored.find(({ field }) => field === choice.field)?.values.map(({ value, label }) => [value, label]),
  )
  return {
    ...choice,
    ...(dependsOn ? { depends_on: [...dependsOn] } : {}),
    options: options.map(({ value, label, hint }) => ({ value, label, ...(hint === undefined ? {} : { hint }) })),
    chosen: values,
    chosen_options: values
      .filter((value) => !offered.has(value))
      .map((value) => ({
        value,
        label: labels.get(value) ?? value,
        ...(isClosed ? { hint: 'No longer available' } : {}),
      })),
  }
}

function firstTexts(lists: FieldLists): Record<string, string> {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([field, [text = '']]) => (text.trim() === '' ? [] : [[field, text.trim()]])),
  )
}
