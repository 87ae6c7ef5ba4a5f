/** Every time zone that the browser knows, with those in use. */
export function timeZones(...used: string[]): string[] {
  return [...new Set([...used, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted()
}

/** The display name of a time zone: `America/New York`. */
export const zoneText = (zone: string): string => zone.replaceAll('_', ' ')
