import { Field, Input, Select } from '../../ui/field.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { plural } from '../../ui/text/plural.ts'
import { useFileSources } from './import-queries.ts'
import type { Preview } from './preview.ts'
import { type ChosenSource, offeredSources } from './source-query.ts'

const NEW = ''

type Source = NonNullable<Preview['same']>['source']

type SourceChoiceProps = {
  value: ChosenSource
  /** The earlier import of this file. */
  same: Preview['same']
  /** The source of the last import with the same header. */
  last: Source | null
  disabled: boolean
  onChange: (value: ChosenSource) => void
}

/** A new source for the file, or an existing one. */
export function SourceChoice({ value, same, last, disabled, onChange }: SourceChoiceProps) {
  const { data, error } = useFileSources()
  const sources = offeredSources(data, same?.source ?? last)
  return (
    <div className="mt-5">
      {same ? (
        <p className="mb-3 rounded bg-accent-soft px-3 py-2">
          This file was imported on {formatMoment(same.imported_at)} into “{same.source.name}”. Importing it there again
          updates its messages without creating duplicates.
        </p>
      ) : null}
      <div className="grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2">
        <Field
          label="Source"
          help={`${value.id !== null && value.id === last?.id ? 'As last time. ' : ''}IDs are unique within a source. Files with their own IDs need their own source.`}
          error={error ? 'The sources could not be loaded; a new one can be made.' : undefined}
        >
          {(ids) => (
            <Select
              {...ids}
              className="w-full"
              disabled={disabled}
              value={value.id ?? NEW}
              onChange={(event) => onChange({ ...value, id: event.target.value === NEW ? null : event.target.value })}
            >
              <option value={NEW}>New source</option>
              {sources.map(({ id, name, messages }) => (
                <option key={id} value={id}>
                  {name} ({plural(messages, 'message')})
                </option>
              ))}
            </Select>
          )}
        </Field>
        {value.id === null ? (
          <Field label="Name of the source">
            {(ids) => (
              <Input
                {...ids}
                value={value.name}
                maxLength={200}
                disabled={disabled}
                onChange={(event) => onChange({ ...value, name: event.target.value })}
              />
            )}
          </Field>
        ) : null}
      </div>
    </div>
  )
}
