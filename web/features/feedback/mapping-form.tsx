import type { ColumnMapping } from '@groundswell/contract/feedback.ts'
import clsx from 'clsx'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatBytes } from '../../ui/file-size.ts'
import { Progress } from '../../ui/progress.tsx'
import { MAPPED, type Preview, withColumn } from './preview.ts'
import { ProblemList } from './problem-list.tsx'

const SAMPLE_ROWS = 5

const formats: Record<string, string> = { csv: 'CSV', tsv: 'TSV', jsonl: 'JSON Lines', text: 'Plain text' }

/** A column without a name is known by its number. */
function columnName(column: string): string {
  return /^\d+$/.test(column) ? `Column ${column}` : column
}

type MappingFormProps = {
  file: File
  preview: Preview
  mapping: ColumnMapping
  onMapping: (mapping: ColumnMapping) => void
  /** Bytes sent while the file is on its way up; null before. */
  sent: number | null
  problem: string | undefined
  onStart: () => void
  onCancel: () => void
  /** Where the messages go. */
  children: ReactNode
}

/** Which column holds what, over the first rows of the file. */
export function MappingForm(props: MappingFormProps) {
  const { file, preview, mapping, onMapping, sent, problem, onStart, onCancel, children } = props
  const used = new Map(MAPPED.flatMap(({ key, label }) => (mapping[key] ? [[mapping[key], label] as const] : [])))
  return (
    <div className="rounded-large border border-line bg-surface p-5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-lead font-semibold break-all">{file.name}</h2>
        <p className="text-muted">
          {formats[preview.format]} · {formatBytes(file.size)}
          {preview.header ? ' · the first line is a header' : null}
        </p>
      </div>
      <div className="mt-4 grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
        {MAPPED.map(({ key, label, help }) => (
          <Field key={key} label={label} help={help}>
            {(ids) => (
              <Select
                {...ids}
                className="w-full"
                value={mapping[key] ?? ''}
                disabled={sent !== null}
                onChange={(event) => onMapping(withColumn(mapping, key, event.target.value))}
              >
                {key === 'text' ? null : <option value="">None</option>}
                {preview.columns.map((column) => (
                  <option key={column} value={column}>
                    {columnName(column)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        ))}
      </div>
      <div
        className="mt-5 overflow-x-auto rounded border border-line"
        tabIndex={0}
        role="region"
        aria-label="First rows"
      >
        <table className="w-full border-collapse">
          <thead>
            <tr className="border-b border-line bg-canvas text-left text-small">
              {preview.columns.map((column) => (
                <th key={column} scope="col" className="h-8 px-3 font-medium whitespace-nowrap text-muted">
                  {columnName(column)}
                  {used.has(column) ? <span className="ml-2 text-accent">{used.get(column)}</span> : null}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.rows.slice(0, SAMPLE_ROWS).map((row, index) => (
              <tr key={index} className="border-b border-line last:border-0">
                {preview.columns.map((column, place) => (
                  <td
                    key={column}
                    dir="auto"
                    className={clsx('max-w-xs truncate px-3 py-1.5 text-small', !used.has(column) && 'text-muted')}
                  >
                    {row[place]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ProblemList problems={preview.problems} title="Rows that cannot be read in the first part of the file" />
      {children}
      {problem ? (
        <p role="alert" className="mt-4 rounded bg-bad-soft px-3 py-2 text-bad">
          {problem}
        </p>
      ) : null}
      {sent === null ? (
        <div className="mt-5 flex gap-2">
          <Button look="primary" onClick={onStart} disabled={!mapping.text}>
            Start import
          </Button>
          <Button onClick={onCancel}>Choose another file</Button>
        </div>
      ) : (
        <div className="mt-5 flex items-center gap-4">
          <Progress label="Sending the file" value={sent} total={file.size} />
          <span className="shrink-0 text-muted tabular-nums">
            Sent {formatBytes(sent)} of {formatBytes(file.size)}
          </span>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      )}
    </div>
  )
}
