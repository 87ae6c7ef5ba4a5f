import type { Config } from '../../platform/config/config.ts'

type Place = Pick<Config, 'publicUrl' | 'port'>

/** Where a provider sends people back to. Never taken from a request: anyone can write its Host header. */
export function redirectUrl(config: Place): string {
  return `${siteAddress(config)}/integrations`
}

/** Where a provider sends its events. */
export function eventsUrl(config: Place, tile: string): string {
  return `${siteAddress(config)}/api/${tile}/events`
}

/** Where the provider sends the events of one connection. */
export function subscriptionUrl(config: Place, tile: string, key: string): string {
  return `${eventsUrl(config, tile)}/${key}`
}

/** The address of the web app, without a trailing slash. */
export function siteAddress({ publicUrl, port }: Place): string {
  return publicUrl ?? `http://localhost:${port}`
}
