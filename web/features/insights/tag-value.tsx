import type { Category } from '@groundswell/contract/insights.ts'
import { categoryValue } from '@groundswell/contract/values/category-value.ts'

/** A tag's value with its colour, at the size of text. Nothing without a value. */
export function TagValue({ tag }: { tag: Category | undefined }) {
  const value = tag ? categoryValue(tag) : null
  if (!tag || value === null) return null
  return (
    <span className="inline-flex max-w-full items-center gap-1.5" title={value}>
      {tag.option_colour ? (
        <span aria-hidden style={{ backgroundColor: tag.option_colour }} className="size-2 shrink-0 rounded-full" />
      ) : null}
      <span dir="auto" className="truncate tabular-nums">
        {value}
      </span>
    </span>
  )
}
