import { authorizePosting, getPostingApp, type PosterView, savePostingApp } from '@groundswell/contract/posts.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { call } from '../client/index.ts'
import { ConnectorForm, PasteText } from '../connections/index.ts'

type AllowDialogProps = { poster: PosterView; onClose: () => void }

/** Explains what the sign-in for posting permits, sets up its app if there is none yet, and opens the provider's page. */
export function AllowDialog({ poster, onClose }: AllowDialogProps) {
  const { tile, label, permits } = poster
  const [isChanging, setChanging] = useState(!poster.has_app)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const app = useQuery({
    queryKey: ['posting-app', tile],
    queryFn: () => call(getPostingApp, { params: { tile } }),
    enabled: isChanging,
    gcTime: 0,
    retry: false,
  })
  const leave = async () => {
    const { url } = await call(authorizePosting, { params: { tile } })
    location.assign(url)
  }
  const go = async () => {
    setBusy(true)
    setProblem(null)
    await leave().catch((error: unknown) => {
      setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    })
  }
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={`Allow posting to ${label}`} description={permits}>
      <div className="flex flex-col gap-4">
        {problem ? (
          <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
            {problem}
          </p>
        ) : null}
        {!isChanging ? (
          <>
            <p className="text-muted">{label} asks you to confirm. The sign-in used for reading does not change.</p>
            <div className="flex justify-end gap-2">
              <Button onClick={() => setChanging(true)}>Change the app</Button>
              <Button look="primary" busy={busy} onClick={() => void go()} data-begins>
                Continue to {label}
              </Button>
            </div>
          </>
        ) : app.data ? (
          <>
            <h3 className="font-semibold">{app.data.title}</h3>
            <ol className="list-decimal space-y-1 pl-5 text-muted">
              {app.data.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            {app.data.paste ? <PasteText label={app.data.paste.label} text={app.data.paste.text} /> : null}
            <ConnectorForm
              fields={app.data.fields.map((field) =>
                app.data.given[field.name] && field.kind === 'secret'
                  ? { ...field, required: false, placeholder: 'Leave empty to keep the current value' }
                  : field,
              )}
              action={`Save and continue to ${label}`}
              onConfirm={async (values) => {
                await call(savePostingApp, { params: { tile }, body: values })
                await leave()
              }}
            />
          </>
        ) : app.isPending ? (
          <div className="skeleton h-24" role="status" aria-label="The set-up is loading" />
        ) : (
          <p role="alert">The set-up could not be loaded. {app.error?.message}</p>
        )}
      </div>
    </Dialog>
  )
}
