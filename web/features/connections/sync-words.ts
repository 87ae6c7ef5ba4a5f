import { formatMoment } from '../../ui/moment.ts'

/** Why a sync stands still: the provider asked for a pause, as ISO time. */
export function waitingWords(until: string): string {
  return `Waiting until ${formatMoment(until)}: the other side asked for a pause.`
}
