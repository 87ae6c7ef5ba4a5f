/** Messages about three recurring issues, and some unrelated ones. */
export const peopleSaying: { text: string; author: string; about: 'export' | 'login' | 'dark' | null }[] = [
  { about: 'export', author: 'Ann', text: 'The CSV export fails for large reports' },
  { about: 'export', author: 'Bob', text: 'CSV export fails as soon as the report is large' },
  { about: 'export', author: 'Cem', text: 'Our CSV export of a large report fails every time' },
  { about: 'export', author: 'Dee', text: 'Large reports: the CSV export fails with an error' },
  { about: 'login', author: 'Eve', text: 'I cannot log in since the update on Monday' },
  { about: 'login', author: 'Fay', text: 'Since the update on Monday I cannot log in any more' },
  { about: 'login', author: 'Gil', text: 'Cannot log in after the update on Monday' },
  { about: 'dark', author: 'Hal', text: 'Please add a dark mode to the app' },
  { about: 'dark', author: 'Ida', text: 'A dark mode in the app would be great' },
  { about: null, author: 'Jim', text: 'Lunch at noon?' },
  { about: null, author: 'Kay', text: 'The invoice of March shows the wrong address' },
]

const DAY_MS = 86_400_000

/** The messages as a CSV file with a header, one a day, the first of them 26 days ago: a report shows the last 90 days. */
export function csvOf(rows: typeof peopleSaying): string {
  const dayOf = (index: number) => new Date(Date.now() - (26 - index) * DAY_MS).toISOString().slice(0, 10)
  return `message,customer,date\n${rows.map(({ text, author }, index) => `"${text}",${author},${dayOf(index)}`).join('\n')}`
}
