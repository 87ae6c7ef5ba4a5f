const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const counts = new Intl.NumberFormat('en')

/** An amount in a few characters: `340K`, `1.2M`. It has no currency. */
export const shortAmount = (amount: number): string => short.format(amount)

/** An amount in full: `12,500.5`. */
export const fullAmount = (amount: number): string => whole.format(amount)

/** `1 customer`, `12 customers`. */
export const customersText = (count: number): string =>
  `${counts.format(count)} ${count === 1 ? 'customer' : 'customers'}`

/** `12, 340K revenue`, after the word "Customers"; the revenue only where it is known. */
export function countAndRevenue(count: number, revenue: number | null | undefined): string {
  const customers = counts.format(count)
  return revenue === null || revenue === undefined ? customers : `${customers}, ${shortAmount(revenue)} revenue`
}
