import type { Insight } from '@groundswell/contract/insights.ts'
import clsx from 'clsx'
import { select, selectTo, useSelection } from './selection-store.ts'

/**
 * The checkbox of a row, in the padding left of its name: there while the row is hovered or has the focus, and in every row once one is selected. Shift selects
 * a range. The key X does the same, so it is no stop of the Tab key.
 */
export function RowTick({ insight: { issue_number: number, issue_name: name } }: { insight: Insight }) {
  const chosen = useSelection((store) => store.numbers.includes(number))
  const any = useSelection((store) => store.numbers.length > 0)
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      data-issue={number}
      data-edits
      aria-label={`Select ${name}`}
      checked={chosen}
      onClick={(event) => event.stopPropagation()}
      onChange={({ target, nativeEvent }) => {
        if (nativeEvent instanceof MouseEvent && nativeEvent.shiftKey) selectTo(number, target.checked)
        else select([number], target.checked)
      }}
      className={clsx(
        'absolute top-1/2 -left-3.75 size-3 -translate-y-1/2 accent-(--accent) md:-left-5 md:size-3.5',
        any || '[tr:not(:hover,:focus-within)_&]:invisible',
      )}
    />
  )
}
