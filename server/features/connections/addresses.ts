import type { Config } from '../../platform/config/config.ts'

type Place = Pick<Config, 'publicUrl' | 'port'>

/** Where a provider sends people back to. Never taken from a request, whose Host header is anybody's to write. */
export function redirectUrl(config: Place): string {
  return `${base(config)}/integrations`
}

/** Where a provider sends what happens there. */
export function eventsUrl(config: Place, tile: string): string {
  return `${base(config)}/api/${tile}/events`
}

function base({ publicUrl, port }: Place): string {
  return publicUrl ?? `http://localhost:${port}`
}
