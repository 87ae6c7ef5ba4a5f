import { Pencil } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Tooltip } from '../../../ui/overlays/tooltip.tsx'

const MEANING =
  'No short phrase says what most of these mentions have in common. If the name is wrong, rename the insight.'

/** Says that the engine is not sure of the name of an insight, and offers to rename it; without `onRename`, only says so. */
export function GuessSign({ onRename }: { onRename: (() => void) | undefined }) {
  return (
    <Tooltip text={MEANING} side="bottom">
      <span className="inline-flex items-center gap-2">
        <Badge>Name is a guess</Badge>
        {onRename ? (
          <button
            type="button"
            data-edits
            onClick={onRename}
            className="inline-flex items-center gap-1 rounded-small text-small text-accent hover:underline"
          >
            <Pencil size={14} aria-hidden />
            Rename
          </button>
        ) : null}
      </span>
    </Tooltip>
  )
}
