/** `1 person`, `9 people`. */
export function peopleInWords(count: number): string {
  return `${count} ${count === 1 ? 'person' : 'people'}`
}

/** `1 mention`, `12 mentions`. */
export function mentionsInWords(count: number): string {
  return `${count} ${count === 1 ? 'mention' : 'mentions'}`
}

/** `12 mentions · 9 people`; the people only where they are counted. */
export function countsInWords(mentions: number, peopleCount: number | undefined): string {
  const said = mentionsInWords(mentions)
  return peopleCount === undefined ? said : `${said} · ${peopleInWords(peopleCount)}`
}

/** A trend for those who do not see its line. */
export function trendInWords(trend: readonly number[]): string {
  return `Mentions in the last ${trend.length} weeks, oldest first: ${trend.join(', ')}`
}
