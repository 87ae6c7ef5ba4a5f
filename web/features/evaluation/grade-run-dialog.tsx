import type { EvaluationRun, Grading } from '@groundswell/contract/evaluation/runs.ts'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { useGradingEstimate, useRunAction, useRunOptions } from './run-queries.ts'
import { Sending } from './sending.tsx'

const REPEATS = 3

/** Chooses a run to grade. */
export function GradeRunDialog({ runs, onClose }: { runs: readonly EvaluationRun[]; onClose: () => void }) {
  const [id, setId] = useState(() => (runs.find(({ state }) => state !== 'graded') ?? runs[0])?.run_id ?? '')
  const act = useRunAction()
  const run = runs.find(({ run_id }) => run_id === id)
  const model = useRunOptions().data?.model ?? null
  const [names, setNames] = useState<readonly string[]>([])
  const [repeats, setRepeats] = useState(1)
  const [send, setSend] = useState(false)
  const judges = names.map((name) => name.trim())
  const isComplete = judges.every((name) => name !== '') && new Set(judges).size === judges.length
  const asked = JSON.stringify({ judges, repeats, send: false } satisfies Grading)
  const settled = useSettled(asked)
  const isAsked = judges.length > 0 && isComplete && settled === asked
  const estimate = useGradingEstimate(id, isAsked ? (JSON.parse(asked) as Grading) : null)
  /** Who agreed has to see what it has become. */
  const change = (work: () => void) => {
    setSend(false)
    work()
  }
  const grading = { judges, repeats, send: judges.length > 0 && send }
  const submit = () => (run ? act.mutateAsync({ run, action: 'grade', grading }, { onSuccess: onClose }) : undefined)
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="Grade a run"
      description="Evaluators score the answers of each generator, and each generator gets an eval session."
    >
      <Form onSubmit={submit} className="flex flex-col gap-3">
        <Field
          label="Run"
          help={
            run?.state === 'graded'
              ? 'It is graded already. Its grades are replaced; scores by people stay.'
              : undefined
          }
        >
          {(ids) => (
            <Select {...ids} data-begins value={id} onChange={(event) => change(() => setId(event.target.value))}>
              {runs.map((one) => (
                <option key={one.run_id} value={one.run_id}>
                  {one.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {model ? (
          <>
            <Field
              label="Judges"
              help="A language model grades each answer by three rubrics, with its reasons. Two show how far they agree."
            >
              {(ids) => (
                <Select
                  {...ids}
                  value={names.length}
                  onChange={({ target }) => change(() => setNames([model.name, ''].slice(0, Number(target.value))))}
                >
                  <option value={0}>No language model</option>
                  <option value={1}>One judge</option>
                  <option value={2}>Two judges</option>
                </Select>
              )}
            </Field>
            {names.map((name, at) => (
              <Field
                key={at}
                label={`Model of judge ${at + 1}`}
                error={at > 0 && name.trim() !== '' && !isComplete ? 'Choose two different models.' : undefined}
              >
                {(ids) => (
                  <Input
                    {...ids}
                    required
                    maxLength={200}
                    value={name}
                    onChange={({ target }) =>
                      change(() => setNames(names.map((one, index) => (index === at ? target.value : one))))
                    }
                  />
                )}
              </Field>
            ))}
            {names.length > 0 ? (
              <label className="flex items-start gap-2">
                <input
                  type="checkbox"
                  className="mt-0.5 size-4 shrink-0 accent-accent"
                  checked={repeats > 1}
                  onChange={({ target }) => change(() => setRepeats(target.checked ? REPEATS : 1))}
                />
                <span>
                  Ask each judge three times
                  <span className="block text-small text-muted">Then grades have a variance.</span>
                </span>
              </label>
            ) : null}
            {estimate.data && isAsked ? (
              <Sending where={model.where} use={estimate.data} agreed={send} onChange={setSend} />
            ) : judges.length > 0 ? (
              <p role="status" className="text-small text-muted">
                {!isComplete ? 'Name the models.' : (estimate.error?.message ?? 'Estimating...')}
              </p>
            ) : null}
          </>
        ) : null}
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!run || (judges.length > 0 && !send)} busy={act.isPending}>
            Start grading
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
