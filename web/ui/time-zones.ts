/** Every time zone that the browser knows, with those in use. */
export function timeZones(...used: string[]): string[] {
  return [...new Set([...used, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted()
}

/** A time zone in words, such as `America/New York`. */
export const zoneText = (zone: string): string => zone.replaceAll('_', ' ')
