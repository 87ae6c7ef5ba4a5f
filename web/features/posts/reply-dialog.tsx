import { type listReplies, MAX_REPLY_TEXT, type ReplyPlace, sendReplies } from '@groundswell/contract/posts.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { isAnswered, isOpen, peopleText, replyText } from './reply-words.ts'

type ReplyDialogProps = {
  issueNumber: number
  replies: ReplyOf<typeof listReplies>
  onClose: () => void
  /** Replies are on their way. */
  onSent: () => void
}

/** The text of a reply, the conversations that get it, and its outcome in each. */
export function ReplyDialog({ issueNumber, replies, onClose, onSent }: ReplyDialogProps) {
  const { conversations } = replies
  const [text, setText] = useState(replies.text)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(conversations.filter((one) => !isAnswered(one) && !isOpen(one)).map(({ id }) => id)),
  )
  const selected = conversations.filter((one) => chosen.has(one.id) && !isOpen(one))
  const again = selected.some(isAnswered)
  const send = useMutation({
    mutationFn: () =>
      call(sendReplies, {
        params: { issue_number: issueNumber },
        body: { conversations: selected.map(({ id }) => id), text, again },
      }),
    onSuccess({ sending, skipped }) {
      setChosen(new Set())
      toast({
        title: sending === 1 ? 'The reply is on its way' : `${sending} replies are on their way`,
        ...(skipped.length > 0
          ? { description: `${skipped.length} skipped: already replied to, or a reply is not possible.` }
          : {}),
      })
      onSent()
    },
  })
  const toggle = (id: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const labels = replies.posters.filter((one) => one.signed_in).map(({ label }) => label)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Reply in thread"
      description={`Posted in ${labels.join(' and ')} by the app, once in each conversation. The people who asked there are marked as told.`}
    >
      <Form className="flex flex-col gap-4" onSubmit={() => send.mutateAsync()}>
        <Field label="Text" help="Posted as plain text. URLs become links.">
          {(ids) => (
            <TextArea
              {...ids}
              dir="auto"
              rows={4}
              required
              maxLength={MAX_REPLY_TEXT}
              value={text}
              onChange={({ target }) => setText(target.value)}
              data-begins
            />
          )}
        </Field>
        <ul aria-label="Conversations">
          {conversations.map((one) => (
            <PlaceRow key={one.id} place={one} checked={chosen.has(one.id)} onChange={(on) => toggle(one.id, on)} />
          ))}
        </ul>
        {again ? (
          <p role="status" className="rounded bg-warn-soft px-3 py-2 text-warn">
            You selected a conversation that already has, or may have, a reply. It gets another one.
          </p>
        ) : null}
        {send.isError ? (
          <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
            {send.error.message}
          </p>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Close</Button>
          <Button
            type="submit"
            look="primary"
            busy={send.isPending}
            disabled={selected.length === 0 || text.trim() === ''}
          >
            {selected.length === 1 ? 'Post the reply' : `Post ${selected.length} replies`}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type PlaceRowProps = { place: ReplyPlace; checked: boolean; onChange: (on: boolean) => void }

function PlaceRow({ place, checked, onChange }: PlaceRowProps) {
  const state = replyText(place)
  return (
    <li className="border-b border-line py-2 last:border-0">
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={checked}
          disabled={isOpen(place)}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate">
            {peopleText(place)} <span className="text-muted">{place.place}</span>
          </span>
          {state === null ? null : <span className="block text-small break-words text-muted">{state}</span>}
        </span>
      </label>
    </li>
  )
}
