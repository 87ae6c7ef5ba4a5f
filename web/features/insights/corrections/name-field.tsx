import type { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { useBorrowedFocus } from './use-borrowed-focus.ts'
import type { Correcting } from './use-correcting.ts'

type NameFieldProps = { insight: Insight; setBy: InsightDetail['name_set_by']; correcting: Correcting }

/** The name as a field in place of the title: Enter saves; Escape, handled by the panel, cancels. */
export function NameField({ insight, setBy, correcting: { correct, setDraft, busy } }: NameFieldProps) {
  const box = useRef<HTMLFormElement>(null)
  const [name, setName] = useState(insight.issue_name)
  const [wrong, setWrong] = useState<string>()
  useBorrowedFocus(box)
  const save = async (next: string | null) => {
    if (await correct({ kind: 'rename', name: next })) setDraft(null)
  }
  return (
    <Form
      ref={box}
      className="flex flex-col gap-2 pt-1 pr-2 pb-1"
      onSubmit={async () => {
        const next = name.trim()
        if (next === '') setWrong('An insight needs a name.')
        else if (next === insight.issue_name) setDraft(null)
        else await save(next)
      }}
    >
      <Field label="Name" hideLabel error={wrong}>
        {(ids) => (
          <Input
            {...ids}
            onFocus={(event) => event.target.select()}
            dir="auto"
            maxLength={200}
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              setWrong(undefined)
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={busy}>
          Save
        </Button>
        <Button onClick={() => setDraft(null)}>Cancel</Button>
        {setBy === 'person' ? (
          <Button look="quiet" busy={busy} onClick={() => void save(null)}>
            Restore the automatic name
          </Button>
        ) : null}
      </div>
    </Form>
  )
}
