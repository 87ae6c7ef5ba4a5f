import type { Config } from '../../platform/config/config.ts'

type Place = Pick<Config, 'publicUrl' | 'port'>

/** Where a provider sends people back to. Never taken from a request, whose Host header is anybody's to write. */
export function redirectUrl(config: Place): string {
  return `${siteAddress(config)}/integrations`
}

/** Where a provider sends what happens there. */
export function eventsUrl(config: Place, tile: string): string {
  return `${siteAddress(config)}/api/${tile}/events`
}

/** Where people find the web app, without a slash at its end. */
export function siteAddress({ publicUrl, port }: Place): string {
  return publicUrl ?? `http://localhost:${port}`
}
