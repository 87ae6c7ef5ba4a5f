import { MAX_REPORT_DAYS, type Report } from '@groundswell/contract/reports.ts'
import { Button } from '../../../ui/button.tsx'
import { dayText } from './report-words.ts'

const DAY_MS = 86_400_000

/** The days of all mentions, where none of them are in the report; the newest ones, where those are more than a report may have. */
export function daysBeyond({ first_day, last_day, from, to }: Report): { from: string; to: string } | null {
  if (first_day === null || last_day === null || (first_day <= to && last_day >= from)) return null
  const earliest = new Date(Date.parse(last_day) - (MAX_REPORT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  return { from: first_day > earliest ? first_day : earliest, to: last_day }
}

type OfferProps = { days: { from: string; to: string }; onShow: () => void }

/** Offers the report of when the mentions are. */
export function OlderData({ days, onShow }: OfferProps) {
  return (
    <Button look="primary" onClick={onShow}>
      Show {days.from === days.to ? dayText(days.from) : `${dayText(days.from)} to ${dayText(days.to)}`}
    </Button>
  )
}
