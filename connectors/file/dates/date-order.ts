import type { DateOrder } from '@groundswell/contract/feedback.ts'

/** Not with dots: there the day is always first. */
const EITHER_WAY = /^\s*(\d{1,2})([/-])(\d{1,2})\2(?:\d{4}|\d{2})(?!\d)/

/** Null: no date is ambiguous. Undecided: some are, and no other date decides. */
export type FoundOrder = DateOrder | 'undecided' | null

type OrderTally = { add(cell: string): void; order(): FoundOrder }

/**
 * Decides for a whole column whether 03/04/2026 is the third of April or March the fourth: by dates with a number over 12, and
 * by the majority where they disagree.
 */
export function orderTally(): OrderTally {
  let dayFirst = 0
  let monthFirst = 0
  let either = 0
  return {
    add(cell) {
      const match = EITHER_WAY.exec(cell)
      if (!match) return
      const [first, second] = [Number(match[1]), Number(match[3])]
      if (first > 12 && second <= 12) dayFirst += 1
      else if (second > 12 && first <= 12) monthFirst += 1
      else if (first !== second) either += 1
    },
    order() {
      if (dayFirst !== monthFirst) return dayFirst > monthFirst ? 'day_first' : 'month_first'
      return dayFirst + either > 0 ? 'undecided' : null
    },
  }
}

/** The order of a list of cells. */
export function orderOf(cells: readonly string[]): FoundOrder {
  const tally = orderTally()
  for (const cell of cells) tally.add(cell)
  return tally.order()
}
