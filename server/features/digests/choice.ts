import { DIGEST_KINDS, type DigestChoice } from '@groundswell/contract/digests.ts'

const DAY_MS = 86_400_000

/** Whether any alert is chosen. */
export function wantsAlerts({ alerts: { spike, regression, themes, customers = [] } }: DigestChoice): boolean {
  return spike || regression || themes.length > 0 || customers.length > 0
}

/** One interval of a digest earlier; a day where it is off. */
export function daysBefore(now: Date, frequency: DigestChoice['frequency']): Date {
  return new Date(now.getTime() - (frequency === 'off' ? 1 : DIGEST_KINDS[frequency].days) * DAY_MS)
}
