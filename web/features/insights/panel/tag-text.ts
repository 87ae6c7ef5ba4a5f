import type { Insight } from '@groundswell/contract/insights.ts'

const OFFERED = 50

/** A typed value of a tag: a number where it is one, null where it is empty, else the text. */
export function readTagText(text: string): string | number | null {
  const value = text.trim()
  if (value === '') return null
  return /^-?\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : value
}

/** Values that other insights have for a tag, to choose from. */
export function valuesInUse(insights: readonly Insight[], name: string): string[] {
  const values = new Set<string>()
  for (const { categories = [] } of insights) {
    const value = categories.find((tag) => tag.cat_name === name)?.option_value
    if (typeof value === 'string' && value !== '') values.add(value)
    if (values.size >= OFFERED) break
  }
  return [...values].sort((a, b) => a.localeCompare(b))
}
