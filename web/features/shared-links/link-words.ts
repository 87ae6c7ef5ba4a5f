import type { SharedLink } from '@groundswell/contract/shared-links.ts'
import { formatMoment } from '../../ui/text/moment.ts'

/** One line about a link: who made it when, when it expires, and what it leaves out. */
export function linkInWords({ created_at, expires_at, expired, made_by, hide_names, hide_quotes }: SharedLink): string {
  const left = [hide_names ? 'names' : null, hide_quotes ? 'quotes' : null].filter((one) => one !== null)
  return [
    `created ${formatMoment(created_at)} by ${made_by}`,
    `${expired ? 'expired' : 'expires'} ${formatMoment(expires_at)}`,
    ...(left.length > 0 ? [`without ${left.join(' and ')}`] : []),
  ].join(' · ')
}
