import clsx from 'clsx'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, Input, TextArea } from '../../ui/field.tsx'
import { lazyExtra, lazyPart } from '../../ui/loading/lazy-part.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { useHasExtras } from '../operations/index.ts'
import { descriptionProblem, isNamed, type SettingsDraft } from './saved-settings.ts'

const TagTrial = lazyPart(async () => (await import('./tag-trial.tsx')).TagTrial, {
  waiting: () => <div className="skeleton mt-3 h-16" role="status" aria-label="Loading" />,
})

const TagUnderstood = lazyExtra(async () => (await import('./tag-understood.tsx')).TagUnderstood)

/** The tags, one row each, with 'Add Tag'. Deleting a row needs a confirmation. */
export function TagRows() {
  const { control } = useFormContext<SettingsDraft>()
  const { fields, append, remove } = useFieldArray({ control, name: 'categories' })
  const [asked, setAsked] = useState<number | null>(null)
  return (
    <div className="overflow-hidden rounded-large border border-line bg-surface">
      {fields.map((field, index) => (
        <TagRow key={field.id} index={index} onDelete={() => setAsked(index)} />
      ))}
      <div className={clsx('px-5 py-3', fields.length === 0 && 'flex flex-wrap items-center justify-between gap-3')}>
        {fields.length === 0 ? <p className="text-muted">No tags yet.</p> : null}
        <Button data-edits onClick={() => append({ name: '', description: '' })}>
          <Plus size={14} aria-hidden />
          Add Tag
        </Button>
      </div>
      <Confirm
        open={asked !== null}
        onOpenChange={(open) => open || setAsked(null)}
        title="Delete tag"
        question="Are you sure you want to delete this category?"
        action="Delete"
        onConfirm={() => {
          if (asked !== null) remove(asked)
          setAsked(null)
        }}
      />
    </div>
  )
}

function TagRow({ index, onDelete }: { index: number; onDelete: () => void }) {
  const { register, formState } = useFormContext<SettingsDraft>()
  const errors = formState.errors.categories?.[index]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-3 border-b border-line px-5 py-4 sm:grid-cols-[12rem_minmax(0,1fr)_auto]">
      <Field label="Tag name" hideLabel error={errors?.name?.message}>
        {(ids) => (
          <Input
            {...ids}
            type="text"
            placeholder="Name"
            maxLength={200}
            {...register(`categories.${index}.name`, {
              validate: (name) => isNamed(name) || 'Please enter a name.',
            })}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
      </Field>
      <div className="col-span-2 row-start-2 sm:col-span-1 sm:col-start-2 sm:row-start-1">
        <Field label="Tag description" hideLabel error={errors?.description?.message}>
          {(ids) => (
            <TextArea
              {...ids}
              rows={3}
              className="field-sizing-content max-h-60 min-h-11"
              placeholder="Description (min 40 chars)"
              maxLength={4000}
              {...register(`categories.${index}.description`, {
                validate: (description) => descriptionProblem(description) ?? true,
              })}
            />
          )}
        </Field>
      </div>
      <IconButton data-edits label="Delete tag" onClick={onDelete} className="hover:text-bad sm:col-start-3">
        <Trash2 size={16} aria-hidden />
      </IconButton>
      {useHasExtras() ? <TryTag index={index} /> : null}
    </div>
  )
}

/** How the tag is understood as it is written, and on request a preview before it is saved. A later change hides the preview. */
function TryTag({ index }: { index: number }) {
  const { control } = useFormContext<SettingsDraft>()
  const { name, description } = useWatch({ control, name: 'categories' })[index] ?? { name: '', description: '' }
  const [tried, setTried] = useState<{ name: string; description: string; turn: number } | null>(null)
  const draft = { name: name.trim(), description: description.trim() }
  const shown = tried?.name === draft.name && tried.description === draft.description ? tried : null
  return (
    <div className="col-span-2 flex flex-col items-start gap-2 sm:col-span-1 sm:col-start-2">
      {shown ? null : <TagUnderstood index={index} />}
      <Button
        data-edits
        disabled={!isNamed(name) || descriptionProblem(description) !== null}
        aria-expanded={shown !== null}
        onClick={() => setTried((last) => ({ ...draft, turn: (last?.turn ?? 0) + 1 }))}
      >
        Try it
      </Button>
      {shown ? (
        <div className="w-full">
          <TagTrial key={shown.turn} {...shown} onClose={() => setTried(null)} />
        </div>
      ) : null}
    </div>
  )
}
