import { type EvalScore, MAX_SCORE_REASON } from '@groundswell/contract/evaluation/evals.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Input, TextArea } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { giveScore, restoreScore, type ScorePlace } from './score-queries.ts'
import { formatScore } from './session-view.ts'

type OwnScoreFormProps = {
  place: ScorePlace
  /** The evaluator's average; null when there is none. */
  automatic: number | null
  own: EvalScore | undefined
  onDone: () => void
}

/** The person's score in place of the evaluator's average, with its reason. */
export function OwnScoreForm({ place, automatic, own, onDone }: OwnScoreFormProps) {
  const client = useQueryClient()
  const [score, setScore] = useState(own ? String(own.score) : '')
  const [reason, setReason] = useState(own?.reason ?? '')
  const save = useMutation({
    mutationFn: () => giveScore(client, place, { score: Number(score), reason, automatic }),
    onSuccess: onDone,
  })
  const restore = useMutation({ mutationFn: () => restoreScore(client, place), onSuccess: onDone })
  const error = save.error ?? restore.error
  const complete = score.trim() !== '' && Number.isFinite(Number(score)) && reason.trim() !== ''
  const stale = own !== undefined && own.automatic !== automatic
  return (
    <section aria-label="Your score" className="mt-5 border-t border-line pt-4">
      <h3 className="font-semibold">Your score</h3>
      <p className="mt-1 text-small text-muted">
        Shown to you instead of the automatic score, {formatScore(automatic)}. The file is not changed.
      </p>
      {stale ? (
        <p className="mt-2 rounded border border-line bg-warn-soft px-3 py-2 text-small text-warn">
          The automatic score was {formatScore(own.automatic)} when you scored it: the file has changed since.
        </p>
      ) : null}
      <Form className="mt-3 flex flex-col gap-3" onSubmit={() => (complete ? save.mutateAsync() : undefined)}>
        <div className="w-28">
          <Field label="Score">
            {(ids) => (
              <Input
                {...ids}
                type="number"
                step="any"
                required
                value={score}
                onChange={(event) => setScore(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Field label="Reason">
          {(ids) => (
            <TextArea
              {...ids}
              rows={3}
              required
              maxLength={MAX_SCORE_REASON}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {error ? (
          <p role="alert" className="text-small text-bad">
            {error.message}
          </p>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" disabled={!complete} busy={save.isPending}>
            Save score
          </Button>
          {own ? (
            <Button busy={restore.isPending} onClick={() => restore.mutate()}>
              Restore automatic score
            </Button>
          ) : null}
        </div>
      </Form>
    </section>
  )
}
