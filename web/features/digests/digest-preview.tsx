import { type DigestFrequency, previewDigest } from '@groundswell/contract/digests.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { call } from '../client/index.ts'

type DigestPreviewProps = { frequency: Exclude<DigestFrequency, 'off'>; onClose: () => void }

/** The digest as it would be sent now, in a frame without scripts. */
export function DigestPreview({ frequency, onClose }: DigestPreviewProps) {
  const preview = useQuery({
    queryKey: ['digest-preview', frequency],
    queryFn: () => call(previewDigest, { query: { frequency } }),
    gcTime: 0,
    retry: false,
  })
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={preview.data?.subject ?? 'Digest'}>
      {preview.data ? (
        <>
          <p className="mb-3 text-muted">
            {preview.data.nothing
              ? 'As it is, no mail would be sent: there is nothing to say.'
              : `As it would be sent to ${preview.data.to} now.`}
          </p>
          {preview.data.nothing ? null : (
            <iframe
              title="The digest"
              sandbox="allow-scripts"
              srcDoc={preview.data.html}
              className="h-[50vh] w-full rounded border border-line"
            />
          )}
        </>
      ) : preview.isPending ? (
        <div className="skeleton h-40" role="status" aria-label="The digest is being written" />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="alert">The digest could not be written. {preview.error.message}</p>
          <Button busy={preview.isFetching} onClick={() => void preview.refetch()}>
            Try again
          </Button>
        </div>
      )}
    </Dialog>
  )
}
