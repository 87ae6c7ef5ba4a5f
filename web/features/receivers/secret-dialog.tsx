import { Copy } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { copyText } from '../../ui/text/copy-text.ts'

type SecretDialogProps = { secret: string; rotated: boolean; onClose: () => void }

/** Shows the signing secret of a receiver, which cannot be shown again. */
export function SecretDialog({ secret, rotated, onClose }: SecretDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={rotated ? 'The new signing secret' : 'The signing secret'}
      description="It is shown only once. Your program uses it to verify that a message is from this workspace."
    >
      <p className="rounded bg-hover px-4 py-3 font-mono text-small break-all">{secret}</p>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button data-begins onClick={() => void copyText(secret, 'The secret')}>
          <Copy size={14} aria-hidden /> Copy
        </Button>
        <Button look="primary" onClick={onClose}>
          I have saved it
        </Button>
      </div>
    </Dialog>
  )
}
