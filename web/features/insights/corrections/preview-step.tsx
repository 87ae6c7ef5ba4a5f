import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ChangeList } from './change-list.tsx'
import { previewText } from './correction-words.ts'
import { usePreview } from './corrections-query.ts'

type PreviewStepProps = {
  here: number
  body: CorrectionRequest
  action: string
  onBack: () => void
  onDo: () => void
}

/** What a correction will change, and the button that applies it. The button is focused once the preview is known. */
export function PreviewStep({ here, body, action, onBack, onDo }: PreviewStepProps) {
  const preview = usePreview(here, body)
  const button = useRef<HTMLButtonElement>(null)
  const known = preview.data !== undefined && !preview.isPlaceholderData
  useEffect(() => {
    if (known) button.current?.focus()
  }, [known])
  return (
    <div className="flex flex-col gap-3">
      {preview.data ? (
        <>
          <p role="status">{previewText(body, here, preview.data)}</p>
          <ChangeList changes={preview.data} />
        </>
      ) : preview.isError ? (
        <p role="alert" className="text-bad">
          {preview.error.message}
        </p>
      ) : (
        <div className="skeleton h-24" role="status" aria-label="Loading" />
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>Choose another</Button>
        <Button ref={button} look="primary" busy={preview.isPending} disabled={!known} onClick={onDo}>
          {action}
        </Button>
      </div>
    </div>
  )
}
