import type { ChoiceView } from '@groundswell/contract/sources.ts'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Form } from '../../../ui/form.tsx'
import { CallError } from '../../client/index.ts'
import { bodyOf, type ChoiceDraft, lackOf, leadingDraft, valuesOf, withValues } from './choice-draft.ts'
import { ChoiceField } from './choice-field.tsx'
import { useChoices, useSaveChoices } from './choices-queries.ts'

type ChoicesFormProps = {
  tile: string
  /** The provider's name. */
  label: string
  /** Closes the form; undefined while something required is missing. */
  onClose: (() => void) | undefined
}

/** Label of each found option, and the text that found it: the server finds it again by that text. */
type Found = Readonly<Record<string, { label: string; text: string }>>

const NO_CHOICES: readonly ChoiceView[] = []

/** The choices of a connection in one form. Those that depend on others follow as these are made. */
export function ChoicesForm({ tile, label, onClose }: ChoicesFormProps) {
  const [draft, setDraft] = useState<ChoiceDraft>({})
  const [leading, setLeading] = useState<ChoiceDraft>({})
  const [found, setFound] = useState<Found>({})
  const choices = useChoices(tile, leading)
  const save = useSaveChoices(tile)
  const start = useRef<HTMLDivElement>(null)
  const hasFocused = useRef(false)
  const list = choices.data ?? NO_CHOICES
  const isLoaded = choices.isSuccess && !choices.isPlaceholderData
  const lack = lackOf(list, draft)

  useEffect(() => {
    if (!isLoaded || hasFocused.current) return
    // Only when the form is shown for the first time: later the focus stays where it is.
    hasFocused.current = true
    start.current?.querySelector<HTMLElement>('select, input')?.focus()
  }, [isLoaded])

  function change(choice: ChoiceView, values: readonly string[]) {
    const next = withValues(list, draft, choice.field, values)
    setDraft(next)
    setLeading(leadingDraft(list, next))
    save.reset()
  }

  async function submit() {
    const search: Record<string, string[]> = {}
    for (const choice of list.filter(({ searchable }) => searchable)) {
      const texts = valuesOf(choice, draft).flatMap((value) => found[`${choice.field} ${value}`]?.text ?? [])
      if (texts.length > 0) search[choice.field] = [...new Set(texts)]
    }
    await save.mutateAsync({ body: bodyOf(list, draft), search })
    onClose?.()
  }

  if (choices.isPending) {
    return (
      <p role="status" className="mt-2 text-muted">
        Loading from {label}…
      </p>
    )
  }
  const failure = choices.error?.message
  const faults = save.error instanceof CallError ? save.error.fields : {}
  const isNamed = list.some(({ field }) => faults[`body.${field}`])
  return (
    <Form onSubmit={submit} className="mt-3 flex flex-col gap-4">
      <div ref={start} className="flex flex-col gap-4" aria-busy={choices.isFetching}>
        {list.map((choice) => (
          <ChoiceField
            key={choice.field}
            tile={tile}
            provider={label}
            choice={choice}
            draft={leading}
            values={valuesOf(choice, draft)}
            error={faults[`body.${choice.field}`]}
            nameOf={(value) => found[`${choice.field} ${value}`]?.label}
            onFound={(option, text) =>
              setFound((all) => ({ ...all, [`${choice.field} ${option.value}`]: { label: option.label, text } }))
            }
            onChange={(values) => change(choice, values)}
            onAgain={() => void choices.refetch()}
          />
        ))}
        {choices.isSuccess && list.length === 0 ? (
          <p className="text-muted">{label} has nothing to choose from yet.</p>
        ) : null}
      </div>
      {failure ? (
        <div role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
          <p>{failure}</p>
          <Button className="mt-2" busy={choices.isFetching} onClick={() => void choices.refetch()}>
            Try again
          </Button>
        </div>
      ) : null}
      {save.error && !isNamed ? (
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
          {save.error.message}
        </p>
      ) : null}
      {list.length > 0 ? (
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" look="primary" busy={save.isPending} disabled={lack !== null || !isLoaded}>
            Save
          </Button>
          {onClose ? <Button onClick={onClose}>Cancel</Button> : null}
          <p role="status" className="min-w-0 flex-1 text-small text-muted">
            {choices.isFetching ? `Loading from ${label}…` : lack}
          </p>
        </div>
      ) : null}
    </Form>
  )
}
