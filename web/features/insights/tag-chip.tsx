import type { Category } from '@groundswell/contract/insights.ts'
import { categoryValue } from './category-value.ts'

/** One tag of an insight with its value. */
export function TagChip({ tag }: { tag: Category }) {
  const value = categoryValue(tag)
  return (
    <span className="inline-flex h-5 max-w-48 items-center gap-1.5 rounded-small border border-line px-1.5 text-small text-muted">
      {tag.option_colour ? (
        <span aria-hidden style={{ backgroundColor: tag.option_colour }} className="size-2 shrink-0 rounded-full" />
      ) : null}
      <span className="truncate">
        {tag.cat_name}
        {value === null ? null : <span className="text-text"> {value}</span>}
      </span>
    </span>
  )
}
