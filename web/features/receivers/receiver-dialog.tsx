import { EVENT_TYPES, type EventType } from '@groundswell/contract/receivers/event-types.ts'
import { createReceiver, type Receiver, updateReceiver } from '@groundswell/contract/receivers.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { Form, type SendEvent } from '../../ui/form.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { formText } from '../../ui/text/form-text.ts'
import { call } from '../client/index.ts'
import { EVENT_WORDS } from './receiver-words.ts'

type ReceiverDialogProps = {
  /** Null: a new one. */
  receiver: Receiver | null
  onClose: () => void
  /** With the secret of a new one. */
  onSaved: (secret: string | null) => void
}

/** Asks where to send events, and which ones. */
export function ReceiverDialog({ receiver, onClose, onSaved }: ReceiverDialogProps) {
  const [isChosen, setChosen] = useState(receiver !== null && receiver.events !== null)
  const [events, setEvents] = useState<readonly EventType[]>(() =>
    EVENT_TYPES.filter((type) => receiver?.events?.includes(type) ?? true),
  )
  const save = useMutation({
    async mutationFn({ url, description }: { url: string; description: string }) {
      const body = { url, description, events: isChosen ? [...events] : null }
      if (receiver === null) return (await call(createReceiver, { body })).secret
      await call(updateReceiver, { params: { id: receiver.id }, body })
      return null
    },
    onSuccess: onSaved,
  })
  const submit = (event: SendEvent) => {
    const data = new FormData(event.currentTarget)
    return save.mutateAsync({ url: formText(data, 'url').trim(), description: formText(data, 'description').trim() })
  }
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={receiver ? 'Edit the webhook' : 'Add a webhook'}>
      <Form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="URL" help="Where events are sent as signed POST requests.">
          {(ids) => (
            <Input
              {...ids}
              name="url"
              type="url"
              autoComplete="off"
              placeholder="https://example.com/hook"
              defaultValue={receiver?.url ?? ''}
              maxLength={2048}
              required
              data-begins
            />
          )}
        </Field>
        <Field label="Description (optional)">
          {(ids) => (
            <Input
              {...ids}
              name="description"
              autoComplete="off"
              defaultValue={receiver?.description ?? ''}
              maxLength={200}
            />
          )}
        </Field>
        <Field label="Events">
          {(ids) => (
            <Select
              {...ids}
              value={isChosen ? 'chosen' : 'all'}
              onChange={({ target }) => setChosen(target.value === 'chosen')}
            >
              <option value="all">All, including those added later</option>
              <option value="chosen">Only these</option>
            </Select>
          )}
        </Field>
        {isChosen ? (
          <fieldset className="flex flex-col gap-2">
            <legend className="sr-only">Which events</legend>
            {EVENT_TYPES.map((type) => (
              <label key={type} className="flex items-start gap-2">
                <input
                  type="checkbox"
                  className="mt-1 size-4 shrink-0 accent-accent"
                  aria-labelledby={`event-${type}`}
                  aria-describedby={`means-${type}`}
                  checked={events.includes(type)}
                  onChange={({ target }) =>
                    setEvents(EVENT_TYPES.filter((one) => (one === type ? target.checked : events.includes(one))))
                  }
                />
                <span>
                  <span id={`event-${type}`}>{type}</span>
                  <span id={`means-${type}`} className="block text-small text-muted">
                    {EVENT_WORDS[type]}
                  </span>
                </span>
              </label>
            ))}
          </fieldset>
        ) : null}
        {save.isError ? (
          <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
            The webhook was not saved. {save.error.message}
          </p>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending} disabled={isChosen && events.length === 0}>
            {receiver ? 'Save webhook' : 'Add webhook'}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
