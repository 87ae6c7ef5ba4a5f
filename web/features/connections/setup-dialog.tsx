import { saveApp } from '@groundswell/contract/sources.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { call } from '../client/index.ts'
import { useProviderApp } from './connection-queries.ts'
import { ConnectorForm } from './connector-form.tsx'
import { PasteText } from './paste-text.tsx'
import type { ConnectorEntry } from './tiles.ts'

type SetupDialogProps = {
  manifest: ConnectorEntry['manifest']
  onClose: () => void
  /** The credentials were stored: the person signs in next. */
  onSaved: () => void | Promise<void>
  /** Connects by the connector's own form, such as a pasted token. */
  onPaste: (values: Record<string, unknown>) => Promise<void>
}

/** How to set up the workspace's own app at a provider, the form for its credentials, and the form that needs no app. */
export function SetupDialog({ manifest, onClose, onSaved, onPaste }: SetupDialogProps) {
  const tile = manifest.id
  const app = useProviderApp(tile)
  const { data } = app
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={`Set up ${manifest.label}`}>
      <div className="flex flex-col gap-5">
        {manifest.fields.length > 0 ? (
          <p className="text-muted">To connect without your own app, see “{manifest.form_title}” at the end.</p>
        ) : null}
        {app.isError ? (
          <p role="alert" className="text-bad">
            {app.error.message}
          </p>
        ) : null}
        {data ? (
          <section className="flex flex-col gap-3">
            <h3 className="font-semibold">{data.title}</h3>
            <ol className="list-decimal space-y-1 pl-5 text-muted">
              {data.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            {data.paste ? <PasteText label={data.paste.label} text={data.paste.text} /> : null}
            <ConnectorForm
              fields={data.fields.map((field) =>
                data.given[field.name] && field.kind === 'secret'
                  ? { ...field, required: false, placeholder: 'Leave empty to keep the current value' }
                  : field,
              )}
              action="Save and connect"
              onConfirm={async (values) => {
                await call(saveApp, { params: { tile }, body: values })
                await onSaved()
              }}
            />
          </section>
        ) : null}
        {manifest.fields.length > 0 ? (
          <section className="flex flex-col gap-3 border-t border-line pt-4">
            <h3 className="font-semibold">{manifest.form_title}</h3>
            <ConnectorForm fields={manifest.fields} action="Connect" onConfirm={onPaste} />
          </section>
        ) : null}
      </div>
    </Dialog>
  )
}
