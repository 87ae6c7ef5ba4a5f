import { type DigestPreviewed, previewDigest } from '@groundswell/contract/digests.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { call } from '../client/index.ts'

type DigestPreviewProps = { mail: DigestPreviewed; onClose: () => void }

/** A mail as it would be sent now: the HTML that a mail program would show. */
export function DigestPreview({ mail, onClose }: DigestPreviewProps) {
  const preview = useQuery({
    queryKey: ['digest-preview', mail],
    queryFn: () => call(previewDigest, { query: { mail } }),
    gcTime: 0,
    retry: false,
  })
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={preview.data?.subject ?? 'Preview'}>
      {preview.data ? (
        <>
          <p className="mb-3 text-muted">{leadOf(mail, preview.data)}</p>
          {preview.data.nothing ? null : <MailFrame html={preview.data.html} />}
        </>
      ) : preview.isPending ? (
        <div className="skeleton h-40" role="status" aria-label="The mail is being written" />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="alert">The mail could not be written. {preview.error.message}</p>
          <Button busy={preview.isFetching} onClick={() => void preview.refetch()}>
            Try again
          </Button>
        </div>
      )}
    </Dialog>
  )
}

/**
 * A mail in a frame without scripts and forms, as high as what it contains. Its links open in a new tab. It is of this origin so that its height
 * can be read.
 */
function MailFrame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(320)
  const fit = () => {
    const shown = frame.current?.contentDocument
    if (!shown) return
    for (const link of shown.links) link.target = '_blank'
    setHeight(shown.documentElement.scrollHeight)
  }
  return (
    <iframe
      ref={frame}
      title="The mail"
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      srcDoc={html}
      onLoad={fit}
      height={height}
      className="w-full rounded border border-line bg-white"
    />
  )
}

function leadOf(mail: DigestPreviewProps['mail'], { nothing, to }: { nothing: boolean; to: string }): string {
  if (mail !== 'alerts') {
    return nothing ? 'No mail would be sent now: there is nothing to report.' : `As it would be sent to ${to} now.`
  }
  return nothing
    ? 'Nothing in the last seven days would have caused an alert.'
    : `The alerts that ${to} would have received for the last seven days.`
}
