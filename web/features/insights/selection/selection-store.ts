import { create } from 'zustand'
import { idsBetween } from '../corrections/pick.ts'

/** How many insights can be selected at once. */
export const MAX_SELECTED = 100

/** The selected insights, in the order of selection, and the last one that was: a range begins there. */
type Selection = { numbers: readonly number[]; anchor: number | null }

const NONE: Selection = { numbers: [], anchor: null }

/** The insights that are selected in the table. */
export const useSelection = create<Selection>(() => NONE)

/** Selects nothing. */
export function clearSelection(): void {
  useSelection.setState(NONE)
}

/** Selects these insights, or with `on: false` leaves them out. */
export function select(some: readonly number[], on: boolean): void {
  const touched = new Set(some)
  useSelection.setState(({ numbers }) => {
    const others = numbers.filter((one) => !touched.has(one))
    return { numbers: on ? [...others, ...some].slice(0, MAX_SELECTED) : others, anchor: some.at(-1) ?? null }
  })
}

/** Selects everything from the last one to this, in the order of the rows. */
export function selectTo(number: number, on: boolean): void {
  const { anchor } = useSelection.getState()
  const rows = [...document.querySelectorAll<HTMLElement>('[data-issue]')].map((one) => one.dataset['issue'] ?? '')
  const between = idsBetween(rows, anchor === null ? null : String(anchor), String(number))
  const some = between.map(Number)
  select(some.at(-1) === number ? some : some.reverse(), on)
}
