import { Copy, Download } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { copyText } from '../../../ui/text/copy-text.ts'
import { saveText } from '../../../ui/text/save-file.ts'

type RecoveryCodesDialogProps = { codes: readonly string[] | null; email: string; onClose: () => void }

/** Shows new recovery codes, which cannot be shown again. */
export function RecoveryCodesDialog({ codes, email, onClose }: RecoveryCodesDialogProps) {
  const text = (codes ?? []).join('\n')
  return (
    <Dialog
      open={codes !== null}
      onOpenChange={(next) => next || onClose()}
      title="Your recovery codes"
      description="Each code logs you in once if you lose your app. They are shown only once: store them with your passwords."
    >
      <ul className="grid gap-x-4 gap-y-1 rounded bg-hover px-4 py-3 font-mono text-small">
        {(codes ?? []).map((code) => (
          <li key={code} className="break-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={() => void copyText(text, 'The list of recovery codes')}>
          <Copy size={14} aria-hidden /> Copy
        </Button>
        <Button
          onClick={() =>
            saveText('groundswell-recovery-codes.txt', `Groundswell recovery codes for ${email}\n\n${text}\n`)
          }
        >
          <Download size={14} aria-hidden /> Download
        </Button>
        <Button look="primary" onClick={onClose}>
          I have saved them
        </Button>
      </div>
    </Dialog>
  )
}
