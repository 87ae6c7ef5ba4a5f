import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { correct, correctPoint } from '../corrections/correction-actions.ts'
import { useBorrowedFocus } from '../corrections/use-borrowed-focus.ts'

type PointFieldProps = {
  /** The insight that it is in; null: none. */
  issueNumber: number | null
  mentionId: string
  /** What it is read as now. */
  point: string
  /** A person has said that. */
  corrected: boolean
  onClose: () => void
}

/** What a mention is read as, as a field: Enter saves, Escape cancels. */
export function PointField({ issueNumber, mentionId, point, corrected, onClose }: PointFieldProps) {
  const client = useQueryClient()
  const box = useRef<HTMLFormElement>(null)
  const [text, setText] = useState(point)
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  useBorrowedFocus(box)
  const save = async (next: string | null) => {
    setBusy(true)
    const made =
      issueNumber === null
        ? await correctPoint(client, mentionId, next)
        : await correct(client, issueNumber, { kind: 'point', mention: mentionId, point: next })
    setBusy(false)
    if (made) onClose()
  }
  return (
    <Form
      ref={box}
      className="mt-2 flex flex-col gap-2"
      data-keeps-panel
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      onSubmit={async () => {
        const next = text.trim()
        if (next === '') setWrong('Say in a few words what it is about.')
        else if (next === point) onClose()
        else await save(next)
      }}
    >
      <Field
        label="Read as (in English)"
        help="The thing and what is wrong with it, in a few words that others with the same problem would use too."
        error={wrong}
      >
        {(ids) => (
          <Input
            {...ids}
            lang="en"
            data-holds-escape
            onFocus={(event) => event.target.select()}
            maxLength={120}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setWrong(undefined)
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={busy}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        {corrected ? (
          <Button look="quiet" busy={busy} onClick={() => void save(null)}>
            Restore what the model read
          </Button>
        ) : null}
      </div>
    </Form>
  )
}
