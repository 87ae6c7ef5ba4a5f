/** The server counts no further. */
const MAX_COUNT = 10_000

const counts = new Intl.NumberFormat()

/** How many mentions are in no insight: `312`, `10,000 or more`. */
export function totalText(total: number): string {
  return total < MAX_COUNT ? counts.format(total) : `${counts.format(MAX_COUNT)} or more`
}
