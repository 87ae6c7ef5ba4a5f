import { Copy } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/text/copy-text.ts'

/** A text to paste at a provider. */
export function PasteText({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <div className="flex items-center justify-between gap-2">
        <span className="text-small font-medium text-muted">{label}</span>
        <Button onClick={() => void copyText(text, label)}>
          <Copy size={14} aria-hidden />
          Copy
        </Button>
      </div>
      <textarea
        readOnly
        aria-label={label}
        rows={6}
        value={text}
        className="mt-1 w-full rounded border border-line bg-canvas px-3 py-2 font-mono text-small"
      />
    </div>
  )
}
