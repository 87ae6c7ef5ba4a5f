/** A value as the list shows it, with its unit: shares and growth are percentages with one decimal, counts are whole. */
export function showValue(value: string | number, percent: boolean): string {
  if (typeof value === 'string') return value
  return percent ? `${value.toFixed(1)} %` : String(Math.round(value))
}

/** `8 of the last 9 insights`, or of a single one. */
export function showShare(matched: number, insights: number): string {
  return insights === 1 ? `${matched} of 1 insight` : `${matched} of the last ${insights} insights`
}
