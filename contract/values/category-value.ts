import type { Category } from '../insights.ts'

/** A tag's value as shown: `calculated` with one decimal, `number` rounded, the rest as it is; null when it has none. */
export function categoryValue({ cat_type, option_value }: Category): string | null {
  if (option_value === null || option_value === undefined || option_value === '') return null
  const number = Number(option_value)
  if (Number.isFinite(number)) {
    if (cat_type === 'calculated') return number.toFixed(1)
    if (cat_type === 'number') return String(Math.round(number))
  }
  return String(option_value)
}
