import { createView, type SavedView, updateView, viewQuery } from '@groundswell/contract/views.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Form, type SendEvent } from '../../ui/form.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { formText } from '../../ui/text/form-text.ts'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { changeView, reloadViews, useViews, VIEW } from './views-query.ts'

type SaveViewDialogProps = {
  /** The address to save. */
  address: URLSearchParams
  /** Called with the view that was saved. */
  onSaved: (view: SavedView) => void
  onClose: () => void
}

/** Saves the filters, order and grouping of an address under a name, or in the view that was opened last. */
export function SaveViewDialog({ address, onSaved, onClose }: SaveViewDialogProps) {
  const client = useQueryClient()
  const opened = useViews().data?.views.find((one) => one.view_id === address.get(VIEW) && one.mine)
  const query = viewQuery(address)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Save view"
      description="Saves the table’s filters, sort order and grouping in the sidebar."
    >
      {opened && opened.query !== query ? (
        <div className="mb-5 flex flex-wrap items-center justify-between gap-2 border-b border-line pb-5">
          <p className="min-w-40 flex-1 text-muted">
            You opened <span dir="auto">“{opened.name}”</span> and changed it.
          </p>
          <Button
            onClick={() => {
              void changeView(client, opened, { query }, 'View updated')
              onClose()
            }}
          >
            Update it
          </Button>
        </div>
      ) : null}
      <ViewForm
        action="Save view"
        onCancel={onClose}
        onSubmit={(fields) => call(createView, { body: { ...fields, query } })}
        onDone={(view) => {
          toast({ title: 'View saved', description: view.name })
          onSaved(view)
          onClose()
        }}
      />
    </Dialog>
  )
}

/** Renames a view. */
export function RenameViewDialog({ view, onClose }: { view: SavedView; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Rename view">
      <ViewForm
        view={view}
        action="Rename"
        onCancel={onClose}
        onSubmit={({ name, shared }) => call(updateView, { params: { view_id: view.view_id }, body: { name, shared } })}
        onDone={onClose}
      />
    </Dialog>
  )
}

type Fields = { name: string; shared: boolean }

type ViewFormProps = {
  view?: SavedView
  action: string
  onSubmit: (fields: Fields) => Promise<SavedView>
  onDone: (view: SavedView) => void
  onCancel: () => void
}

function ViewForm({ view, action, onSubmit, onDone, onCancel }: ViewFormProps) {
  const client = useQueryClient()
  const [shared, setShared] = useState(view?.shared ?? false)
  const save = useMutation({
    mutationFn: onSubmit,
    onSuccess: (saved) => {
      void reloadViews(client)
      onDone(saved)
    },
  })
  const submit = (event: SendEvent) =>
    save.mutateAsync({ name: formText(new FormData(event.currentTarget), 'name').trim(), shared })
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name">
        {(ids) => (
          <Input
            {...ids}
            name="name"
            dir="auto"
            defaultValue={view?.name}
            autoComplete="off"
            maxLength={80}
            pattern=".*\S.*"
            title="Enter a name"
            required
            data-begins
          />
        )}
      </Field>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={shared}
          onChange={({ target }) => setShared(target.checked)}
        />
        Visible to everybody in the workspace
      </label>
      {save.isError ? (
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
          The view was not saved. {save.error.message}
        </p>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={save.isPending}>
          {action}
        </Button>
      </div>
    </Form>
  )
}
