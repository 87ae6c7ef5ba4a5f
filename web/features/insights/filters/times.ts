const TIMES = [
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last year' },
]

/** The choices of a filter by time, in days. `days`: the one in the address, which is a choice too. */
export function timeOptions(days: number | null): { value: string; label: string }[] {
  const known = days === null || TIMES.some(({ value }) => value === String(days))
  return known ? TIMES : [...TIMES, { value: String(days), label: `Last ${days} days` }]
}
