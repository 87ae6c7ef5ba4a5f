import * as z from 'zod/mini'

const ZONE = '[A-Z]{2,5}=[+-](0\\d|1[0-4]):[0-5]\\d'

/** What abbreviations of time zones mean, as offsets from UTC: `IST=+02:00,CST=+08:00`. */
export const ZoneList = z
  .string()
  .check(z.maxLength(500), z.regex(new RegExp(`^${ZONE}(,${ZONE})*$`), 'must be zones such as IST=+02:00,CST=+08:00'))

/** Minutes east of UTC by abbreviation, from a `ZoneList`. */
export function zonesOf(list: string): Record<string, number> {
  return Object.fromEntries(
    list.split(',').map((one) => {
      const [name = '', offset = ''] = one.split('=')
      const [hours, minutes] = offset.slice(1).split(':').map(Number)
      return [name, ((hours ?? 0) * 60 + (minutes ?? 0)) * (offset.startsWith('-') ? -1 : 1)]
    }),
  )
}

/** An offset as a `ZoneList` has it, such as `+05:30`, of minutes east of UTC. */
export function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
