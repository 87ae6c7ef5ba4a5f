/** The server counts no further. */
const COUNTED_AT_MOST = 10_000

const counts = new Intl.NumberFormat()

/** How many mentions are in no insight: `312`, `10,000 or more`. */
export function totalInWords(total: number): string {
  return total < COUNTED_AT_MOST ? counts.format(total) : `${counts.format(COUNTED_AT_MOST)} or more`
}
