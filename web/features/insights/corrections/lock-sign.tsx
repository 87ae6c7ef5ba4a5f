import { Lock } from 'lucide-react'
import { IconButton } from '../../../ui/button.tsx'
import { Tooltip } from '../../../ui/overlays/tooltip.tsx'

const MEANING = 'Locked: regrouping does not add or remove mentions. New messages can still join. Click to unlock.'

/** Shows that an insight is locked and what that means; unlocks it. */
export function LockSign({ busy, onUnlock }: { busy: boolean; onUnlock: () => void }) {
  return (
    <Tooltip text={MEANING} side="bottom">
      <IconButton label="Locked. Unlock" disabled={busy} className="size-6!" onClick={onUnlock}>
        <Lock size={14} aria-hidden />
      </IconButton>
    </Tooltip>
  )
}
