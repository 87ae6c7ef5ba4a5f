import type { AppSetup, Connector } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { AppView } from '@groundswell/contract/sources.ts'
import { type Tx, withoutWorkspace } from '../../../platform/db/tenant.ts'
import { faults } from '../../../platform/http/parse.ts'
import { open, SealError, seal } from '../../../platform/secrets/seal.ts'
import type { Services } from '../../../platform/services.ts'
import { eventsUrl, redirectUrl } from '../addresses.ts'
import { readSealedApp, sealedAppsOf, writeSealedApp } from './provider-app-store.ts'

/** Credentials of an app at a provider, and whose it is: the workspace's own, or the operator's for all. */
export type ProviderApp = { fields: Record<string, string>; workspaceId: string | null }

type AppConnector = Connector & { app: AppSetup }

/** The app that a workspace signs in with: its own, else the operator's; null when there is neither. */
export async function readApp(
  tx: Tx,
  services: Services,
  workspaceId: string,
  connector: AppConnector,
): Promise<ProviderApp | null> {
  const own = await readOwnFields(tx, services, workspaceId, connector.manifest.id)
  if (own && complete(connector.app, own)) return { fields: own, workspaceId }
  return operatorsApp(services, connector)
}

/** Whether a workspace can sign in with a connector: its app is set up. */
export async function hasApp(tx: Tx, services: Services, workspaceId: string, connector: Connector): Promise<boolean> {
  return connector.app
    ? (await readApp(tx, services, workspaceId, { ...connector, app: connector.app })) !== null
    : false
}

/** The operator's app, from environment variables; null unless every required field is there. */
function operatorsApp(services: Services, { app }: AppConnector): ProviderApp | null {
  const fields: Record<string, string> = {}
  for (const [field, variable] of Object.entries(app.environment)) {
    const value = services.config.appCredentials[variable]
    if (value !== undefined) fields[field] = value
  }
  return complete(app, fields) ? { fields, workspaceId: null } : null
}

/** Every app that may have signed a request from the provider. An app whose credentials can no longer be opened is left out. */
export async function allApps(services: Services, connector: AppConnector): Promise<ProviderApp[]> {
  const id = connector.manifest.id
  const rows = await withoutWorkspace(services.db, (tx) => sealedAppsOf(tx, id))
  const apps: ProviderApp[] = []
  for (const { workspaceId, sealed } of rows) {
    const fields = openFields(services, workspaceId, id, sealed)
    if (fields) apps.push({ fields, workspaceId })
  }
  const operators = operatorsApp(services, connector)
  return operators ? [...apps, operators] : apps
}

/** Stores the fields of the workspace's own app. A secret that is left empty stays, and so does a field this version does not know. */
export async function saveOwnApp(
  tx: Tx,
  services: Services,
  workspaceId: string,
  connector: AppConnector,
  form: Record<string, unknown>,
): Promise<void> {
  const { app, manifest } = connector
  const before = (await readOwnFields(tx, services, workspaceId, manifest.id)) ?? {}
  const given = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== '' && value !== null))
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => app.secretFields.includes(name)))
  const known = new Set(app.fields.map(({ name }) => name))
  const unknown = Object.fromEntries(Object.entries(before).filter(([name]) => !known.has(name)))
  const parsed = app.form.safeParse({ ...kept, ...given })
  if (!parsed.success) {
    const fields = faults(parsed.error.issues, 'body')
    throw new ContractError('invalid_input', Object.values(fields)[0] ?? 'The form is not filled in correctly', fields)
  }
  const values = Object.entries(parsed.data).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const fields = JSON.stringify({ ...unknown, ...Object.fromEntries(values) })
  const sealed = seal(services.key, fields, appSealedFor(workspaceId, manifest.id))
  await writeSealedApp(tx, workspaceId, manifest.id, sealed)
}

/** How the app is set up, and which of its fields are given; never their values. */
export async function viewApp(
  tx: Tx,
  services: Services,
  workspaceId: string,
  connector: AppConnector,
): Promise<AppView> {
  const { app, manifest } = connector
  const own = await readOwnFields(tx, services, workspaceId, manifest.id)
  const used = await readApp(tx, services, workspaceId, connector)
  const urls = { redirectUrl: redirectUrl(services.config), eventsUrl: eventsUrl(services.config, manifest.id) }
  const guide = app.guide(urls)
  return {
    title: app.title,
    fields: [...app.fields],
    given: Object.fromEntries(app.fields.map(({ name }) => [name, Boolean(own?.[name])])),
    set_up: used !== null,
    from: used === null ? null : used.workspaceId === null ? 'environment' : 'workspace',
    redirect_url: urls.redirectUrl,
    events_url: urls.eventsUrl,
    steps: [...guide.steps],
    paste: guide.paste,
  }
}

async function readOwnFields(
  tx: Tx,
  services: Services,
  workspaceId: string,
  connector: string,
): Promise<Record<string, string> | null> {
  const sealed = await readSealedApp(tx, workspaceId, connector)
  return sealed ? openFields(services, workspaceId, connector, sealed) : null
}

function openFields(
  { key, log }: Services,
  workspaceId: string,
  connector: string,
  sealed: string,
): Record<string, string> | null {
  try {
    return JSON.parse(open(key, sealed, appSealedFor(workspaceId, connector))) as Record<string, string>
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    log.warn({ connector, workspace: workspaceId }, 'the credentials of an app cannot be opened with this key')
    return null
  }
}

function complete(app: AppSetup, fields: Record<string, string>): boolean {
  return app.form.safeParse(fields).success
}

/** What the fields of an app are sealed for. */
export function appSealedFor(workspaceId: string, connector: string): string {
  return `app:${workspaceId}:${connector}`
}
