import type { ColumnMapping } from '@groundswell/contract/feedback.ts'
import { type ReactNode, useRef, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Progress } from '../../ui/progress.tsx'
import { formatBytes } from '../../ui/text/file-size.ts'
import { formatMoment } from '../../ui/text/moment.ts'
import { ExpectedMessages } from './expected-messages.tsx'
import { expectedText } from './expected-words.ts'
import { columnName, FirstRows } from './first-rows.tsx'
import { undatedText } from './import-words.ts'
import {
  type Choices,
  isSameMapping,
  preview as judge,
  MAPPED,
  type Preview,
  withChoice,
  withColumn,
} from './preview.ts'
import { ProblemList } from './problem-list.tsx'
import { ReadingForm } from './reading-form.tsx'

const formats: Record<string, string> = {
  csv: 'CSV',
  tsv: 'TSV',
  jsonl: 'JSON',
  text: 'Plain text',
  xlsx: 'Excel',
  ods: 'OpenDocument',
}

/** A file, of how many chosen ones it was made, the server's preview of it, and the user's choices. */
export type Chosen = { file: File; count: number; preview: Preview; choices: Choices }

type MappingFormProps = {
  chosen: Chosen
  onChosen: (chosen: Chosen) => void
  sayProblem: (error: unknown) => string
  /** Bytes sent during the upload; null before. */
  sent: number | null
  problem: string | undefined
  onStart: () => void
  onCancel: () => void
  /** The source that the messages are added to. */
  children: ReactNode
}

/** How the file is read and which column is which, above its first rows. */
export function MappingForm(props: MappingFormProps) {
  const { chosen, onChosen, sayProblem, sent, problem, onStart, onCancel, children } = props
  const { file, preview } = chosen
  const { choices, judging, refused, choose } = useChoices(chosen, onChosen, sayProblem)
  const mapping = choices.mapping ?? preview.mapping
  const shownProblem = problem ?? refused
  const last = choices.mapping === undefined ? preview.remembered : null
  return (
    <div className="rounded-large border border-line bg-surface p-5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-lead font-semibold break-all">{file.name}</h2>
        <p className="text-muted">
          {formats[preview.format]} · {formatBytes(file.size)}
        </p>
        {last ? <Badge>As last time</Badge> : null}
        {preview.preset ? <Badge tone="accent">Looks like a {preview.preset} export</Badge> : null}
      </div>
      {preview.expected ? (
        <p role="status" aria-busy={judging} className="mt-3 rounded bg-accent-soft px-3 py-2 break-words">
          {expectedText(preview.expected, { ...preview, files: Math.max(preview.files, chosen.count) })}
        </p>
      ) : null}
      {last ? (
        <p className="mt-2 text-muted">
          The columns are those of the last file with the same header, imported on {formatMoment(last.imported_at)}.{' '}
          {isSameMapping(last.detected, mapping) ? null : (
            <button
              type="button"
              className="rounded-small text-accent hover:underline"
              disabled={sent !== null}
              onClick={() => choose({ mapping: last.detected })}
            >
              Use the detected columns
            </button>
          )}
        </p>
      ) : null}
      <ReadingForm preview={preview} choices={choices} disabled={sent !== null} onChoice={choose} />
      <ColumnChoices
        columns={preview.columns}
        mapping={mapping}
        disabled={sent !== null}
        onMapping={(changed) => choose({ mapping: changed })}
      />
      {mapping.date ? null : (
        <p role="status" className="mt-4 rounded bg-warn-soft px-3 py-2 text-warn">
          No date column: all messages count as today.
        </p>
      )}
      {preview.undated.rows > 0 ? (
        <p role="status" className="mt-4 rounded bg-warn-soft px-3 py-2 break-words text-warn">
          {undatedText(preview.undated)}
        </p>
      ) : null}
      {preview.expected ? <ExpectedMessages samples={preview.expected.samples} /> : null}
      <FirstRows preview={preview} mapping={mapping} />
      <ProblemList problems={preview.problems} title="Rows that are left out, in the first part of the file" />
      {children}
      {shownProblem ? (
        <p role="alert" className="mt-4 rounded bg-bad-soft px-3 py-2 text-bad">
          {shownProblem}
        </p>
      ) : null}
      {sent === null ? (
        <div className="mt-5 flex gap-2">
          <Button look="primary" onClick={onStart} disabled={!mapping.text || judging}>
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

type ColumnChoicesProps = {
  columns: readonly string[]
  mapping: ColumnMapping
  disabled: boolean
  onMapping: (changed: ColumnMapping) => void
}

/** A column of the file for each part of a message. */
function ColumnChoices({ columns, mapping, disabled, onMapping }: ColumnChoicesProps) {
  return (
    <div className="mt-4 grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      {MAPPED.map(({ key, label, help }) => (
        <Field key={key} label={label} help={help}>
          {(ids) => (
            <Select
              {...ids}
              className="w-full"
              value={mapping[key] ?? ''}
              disabled={disabled}
              onChange={(event) => onMapping(withColumn(mapping, key, event.target.value))}
            >
              {key === 'text' ? null : <option value="">None</option>}
              {columns.map((column) => (
                <option key={column} value={column}>
                  {columnName(column)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ))}
    </div>
  )
}

/**
 * The user's choices, shown immediately; each requests a new preview, and only the last response counts. A choice that the server
 * refuses is reverted, with the reason.
 */
function useChoices(chosen: Chosen, onChosen: (chosen: Chosen) => void, sayProblem: (error: unknown) => string) {
  const [wanted, setWanted] = useState<Choices | null>(null)
  const [refused, setRefused] = useState<string>()
  const turn = useRef(0)

  async function choose(change: Choices) {
    const next = withChoice(wanted ?? chosen.choices, change)
    turn.current += 1
    const own = turn.current
    setWanted(next)
    setRefused(undefined)
    let judged: Chosen | null = null
    try {
      judged = { ...chosen, preview: await judge(chosen.file, next), choices: next }
    } catch (error) {
      if (own === turn.current) setRefused(sayProblem(error))
    }
    if (own !== turn.current) return
    setWanted(null)
    if (judged) onChosen(judged)
  }

  return {
    choices: wanted ?? chosen.choices,
    judging: wanted !== null,
    refused,
    choose: (change: Choices) => void choose(change),
  }
}
