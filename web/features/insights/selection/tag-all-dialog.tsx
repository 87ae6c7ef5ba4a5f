import type { TagChange } from '@groundswell/contract/insights/insight-detail.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { useUserData } from '../../accounts/index.ts'
import { readTagText, valuesInUse } from '../panel/tag-text.ts'

type TagAllDialogProps = {
  insights: readonly Insight[]
  /** The insights in the table. Their values are offered. */
  rows: readonly Insight[]
  onClose: () => void
  onTag: (change: TagChange) => Promise<void>
}

/** Asks which tag the insights get, and its value. */
export function TagAllDialog({ insights, rows, onClose, onTag }: TagAllDialogProps) {
  const id = useId()
  const tags = useUserData()?.settings?.categories ?? []
  const [chosen, setName] = useState('')
  const name = chosen || (tags[0]?.name ?? '')
  const [text, setText] = useState('')
  const value = readTagText(text)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={insights.length === 1 ? 'Tag one insight' : `Tag ${insights.length} insights`}
      description="The engine does not replace values that you set."
    >
      <Form className="flex flex-col gap-4" onSubmit={() => onTag({ cat_name: name, option_value: value })}>
        {tags.length === 0 ? (
          <p className="text-muted">
            There are no tags yet.{' '}
            <Link to="/settings" className="text-accent hover:underline">
              Add one under Settings
            </Link>
          </p>
        ) : (
          <>
            <Field label="Tag">
              {(ids) => (
                <Select {...ids} value={name} onChange={(event) => setName(event.target.value)}>
                  {tags.map((tag) => (
                    <option key={tag.name}>{tag.name}</option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="Value" help="Leave it empty to remove the value.">
              {(ids) => (
                <Input
                  {...ids}
                  value={text}
                  maxLength={100}
                  list={`${id}-values`}
                  onChange={(event) => setText(event.target.value)}
                />
              )}
            </Field>
            <datalist id={`${id}-values`}>
              {valuesInUse(rows, name).map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={tags.length === 0}>
            {value === null ? 'Remove value' : 'Set tag'}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
