import { formatDay, formatMoment, type Said, saidText } from './moment.ts'

/** When something was said: a moment, a day, or nothing but when it was imported. */
export function SaidTime({ said }: { said: Said }) {
  if (said.date_known === false) return <span title={`Imported ${formatMoment(said.date)}`}>{saidText(said)}</span>
  return <time dateTime={said.date_only ? formatDay(said.date) : said.date}>{saidText(said)}</time>
}
