import { previewDigest } from '@groundswell/contract/digests.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { call } from '../client/index.ts'

type DigestPreviewProps = { mail: 'daily' | 'weekly' | 'alerts'; onClose: () => void }

/** A mail as it would be sent now: its plain text, of which the HTML says the same. */
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
          {preview.data.nothing ? null : (
            <pre dir="auto" className="rounded border border-line p-4 font-sans break-words whitespace-pre-wrap">
              {preview.data.text}
            </pre>
          )}
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

function leadOf(mail: DigestPreviewProps['mail'], { nothing, to }: { nothing: boolean; to: string }): string {
  if (mail !== 'alerts') {
    return nothing ? 'No mail would be sent now: there is nothing to report.' : `As it would be sent to ${to} now.`
  }
  return nothing
    ? 'Nothing in the last seven days would have caused an alert.'
    : `The alerts that ${to} would have received for the last seven days.`
}
