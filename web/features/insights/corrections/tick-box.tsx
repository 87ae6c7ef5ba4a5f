import type { NamedMention, Picks } from './use-picking.ts'

/** The checkbox of a selectable mention. Shift selects a range. */
export function TickBox({ mention, picks }: { mention: NamedMention; picks: Picks }) {
  return (
    <input
      type="checkbox"
      aria-label={`${mention.author || 'Unknown author'}: ${mention.text}`}
      checked={picks.chosen.includes(mention.id)}
      onChange={({ target, nativeEvent }) =>
        picks.pick(mention.id, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
      className="size-4 shrink-0 scroll-mb-48 accent-(--accent)"
    />
  )
}
