/** `1 person`, `9 people`. */
export function peopleText(count: number): string {
  return `${count} ${count === 1 ? 'person' : 'people'}`
}

/** `1 mention`, `12 mentions`. */
export function mentionsText(count: number): string {
  return `${count} ${count === 1 ? 'mention' : 'mentions'}`
}

/** `12 mentions · 9 people`; the people only where they are counted. */
export function countsText(mentions: number, peopleCount: number | undefined): string {
  const said = mentionsText(mentions)
  return peopleCount === undefined ? said : `${said} · ${peopleText(peopleCount)}`
}

/** A description of a trend and its weeks; `end` is set where all mentions are older than the last weeks. */
export function trendText(trend: readonly number[], end?: string | null): string {
  const weeks = end ? `${trend.length} weeks up to ${lastDay(end)}` : `last ${trend.length} weeks`
  return `Mentions in the ${weeks}, oldest first: ${trend.join(', ')}`
}

function lastDay(end: string): string {
  return new Date(Date.parse(end) - 86_400_000).toISOString().slice(0, 10)
}
