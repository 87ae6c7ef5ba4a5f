import type { EvaluationRun } from '@groundswell/contract/evaluation/runs.ts'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useRunAction } from './run-queries.ts'

/** Chooses a run to grade. */
export function GradeRunDialog({ runs, onClose }: { runs: readonly EvaluationRun[]; onClose: () => void }) {
  const [id, setId] = useState(() => (runs.find(({ state }) => state !== 'graded') ?? runs[0])?.run_id ?? '')
  const act = useRunAction()
  const run = runs.find(({ run_id }) => run_id === id)
  const submit = () => (run ? act.mutateAsync({ run, action: 'grade' }, { onSuccess: onClose }) : undefined)
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="Grade a run"
      description="Evaluators score the answers of each generator, without a language model. Each generator gets an eval session."
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
            <Select {...ids} data-begins value={id} onChange={(event) => setId(event.target.value)}>
              {runs.map((one) => (
                <option key={one.run_id} value={one.run_id}>
                  {one.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!run} busy={act.isPending}>
            Start grading
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
