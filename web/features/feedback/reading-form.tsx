import type { DateOrder, FileEncoding, FileFormat, OwnReplies } from '@groundswell/contract/feedback.ts'
import { Field, Select } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { type Choices, ENCODINGS, FORMATS, isWorkbook, type Preview } from './preview.ts'

type ReadingFormProps = {
  preview: Preview
  choices: Choices
  disabled: boolean
  onChoice: (change: Choices) => void
}

/**
 * How the file is read: its format or sheet, its header, its encoding, the order and the zones of its dates where they are ambiguous, and what replies of
 * the own side are.
 */
export function ReadingForm({ preview, choices, disabled, onChoice }: ReadingFormProps) {
  const order = choices.dateOrder ?? preview.date_order
  return (
    <div className="mt-4 grid grid-cols-1 items-start gap-x-4 gap-y-3 border-b border-line pb-4 sm:grid-cols-2 lg:grid-cols-3">
      <FormatOrSheet preview={preview} choices={choices} disabled={disabled} onChoice={onChoice} />
      {preview.format === 'csv' || preview.format === 'tsv' || isWorkbook(preview.format) ? (
        <Switch
          label="First line is a header"
          help={skippedText(preview.skipped_rows) ?? 'It names the columns and is not a message'}
          checked={choices.header ?? preview.header}
          disabled={disabled}
          onChange={(header) => onChoice({ header })}
        />
      ) : null}
      {isWorkbook(preview.format) ? null : (
        <Field label="Encoding" help="Choose another if the text below looks wrong">
          {(ids) => (
            <Select
              {...ids}
              className="w-full"
              value={choices.encoding ?? preview.encoding}
              disabled={disabled}
              onChange={(event) => onChoice({ encoding: event.target.value as FileEncoding })}
            >
              <Options of={Object.entries(ENCODINGS)} />
            </Select>
          )}
        </Field>
      )}
      {order === null ? null : (
        <Field label="Dates like 03/04/2026" help={order === 'undecided' ? 'The first rows are ambiguous' : undefined}>
          {(ids) => (
            <Select
              {...ids}
              className="w-full"
              value={order}
              disabled={disabled}
              onChange={(event) => onChoice({ dateOrder: event.target.value as DateOrder })}
            >
              {order === 'undecided' ? <option value="undecided">Detect from the whole file</option> : null}
              <option value="day_first">3 April: the day is first</option>
              <option value="month_first">March 4: the month is first</option>
            </Select>
          )}
        </Field>
      )}
      {preview.zones.map(({ name, offset, places }) => (
        // The places that a zone may mean have long names.
        <div key={name} className="sm:col-span-2">
          <Field label={`Time zone “${name}”`} help="Several zones have this abbreviation">
            {(ids) => (
              <Select
                {...ids}
                className="w-full"
                value={choices.zones?.[name] ?? offset}
                disabled={disabled}
                onChange={(event) => onChoice({ zones: { ...choices.zones, [name]: event.target.value } })}
              >
                {places.map((one) => (
                  <option key={one.offset} value={one.offset}>
                    UTC{one.offset}, {one.place}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      ))}
      {preview.mapping.author || preview.mapping.role ? (
        <Field label="Replies by your own people" help="Told by a role, else by how they write">
          {(ids) => (
            <Select
              {...ids}
              className="w-full"
              value={choices.ownReplies ?? 'context'}
              disabled={disabled}
              onChange={(event) => onChoice({ ownReplies: event.target.value as OwnReplies })}
            >
              <option value="context">Context, not counted</option>
              <option value="feedback">Feedback, like all others</option>
            </Select>
          )}
        </Field>
      ) : null}
    </div>
  )
}

/** Which format the text has; of a workbook which sheet is read. */
function FormatOrSheet({ preview, choices, disabled, onChoice }: ReadingFormProps) {
  const hasSheets = isWorkbook(preview.format)
  if (hasSheets && preview.sheets.length < 2) return null
  const value = hasSheets ? (choices.sheet ?? preview.sheet ?? '') : (choices.format ?? preview.format)
  return (
    <Field label={hasSheets ? 'Sheet' : 'Format'} help={hasSheets ? 'One sheet is imported' : undefined}>
      {(ids) => (
        <Select
          {...ids}
          className="w-full"
          value={value}
          disabled={disabled}
          onChange={(event) =>
            onChoice(hasSheets ? { sheet: event.target.value } : { format: event.target.value as FileFormat })
          }
        >
          <Options of={hasSheets ? preview.sheets.map((name) => [name, name]) : Object.entries(FORMATS)} />
        </Select>
      )}
    </Field>
  )
}

function Options({ of }: { of: readonly (readonly [value: string, label: string])[] }) {
  return of.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
}

function skippedText(rows: number): string | undefined {
  if (rows === 0) return undefined
  return rows === 1 ? 'One row above it is skipped' : `${rows} rows above it are skipped`
}
