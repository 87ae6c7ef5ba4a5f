import { plural } from '../../ui/text/plural.ts'
import { useUnderstood } from './use-understood.ts'

/** Below a tag's description: the values that were understood, or else how it was read. */
export function TagUnderstood({ index }: { index: number }) {
  const read = useUnderstood(index)
  if (!read) return null
  const { cat_type, understood, options } = read
  if (cat_type === null) return <p className="text-small break-words text-warn">{understood}</p>
  if (options.length < 2) {
    return (
      <p dir="auto" className="text-small break-words text-muted">
        Understood as: {understood}
      </p>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted">
      <span>{plural(options.length, 'value')} understood:</span>
      <ul className="contents">
        {options.map(({ option_value, option_colour }) => (
          <li key={option_value} className="flex max-w-full min-w-0 items-center gap-1.5">
            <span aria-hidden style={{ backgroundColor: option_colour }} className="size-2 shrink-0 rounded-full" />
            <span dir="auto" title={option_value} className="truncate text-text">
              {option_value}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
