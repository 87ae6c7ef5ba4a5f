import type { Connector } from '@groundswell/connectors/connector.ts'

/** Whether a new connection of this connector is unused until a person has made its choices. */
export function requiresChoices(connector: Connector | undefined): boolean {
  if (!connector?.choices) return false
  return connector.choicesRequired ?? connector.manifest.side === 'destination'
}
