import type { RunPlan } from '@groundswell/contract/evaluation/runs.ts'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { count, plural } from '../../ui/text/plural.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { isCompleteGenerator } from './model-generators.tsx'
import { GeneratorFields, WindowFields } from './run-fields.tsx'
import { type RunOptions, useEstimate, useRunOptions, useStartRun } from './run-queries.ts'
import { Sending } from './sending.tsx'

const DAY_MS = 24 * 3_600_000
/** The days that are chosen at first, up to the last one with feedback. */
const FIRST_DAYS = 56

/** What a run is made of, with what it would take. `names`: of the runs that there are. */
export function NewRunDialog({ names, onClose }: { names: readonly string[]; onClose: () => void }) {
  const options = useRunOptions()
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="New run"
      description="Generators answer the same windows of your feedback, so that you can compare their answers."
    >
      {options.data ? (
        <RunForm options={options.data} names={names} onClose={onClose} />
      ) : options.isPending ? (
        <p role="status" className="text-muted">
          Loading...
        </p>
      ) : (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-bad">
          <p className="mr-auto">{options.error.message}</p>
          <Button busy={options.isFetching} onClick={() => void options.refetch()}>
            Try again
          </Button>
        </div>
      )}
    </Dialog>
  )
}

type RunFormProps = {
  options: RunOptions
  names: readonly string[]
  onClose: () => void
}

function RunForm({ options: { offered, model, source_ids: sources, ...days }, names, onClose }: RunFormProps) {
  const { first_day: first, last_day: last } = days
  const [plan, setPlan] = useState<RunPlan>(() => ({
    name: freeName(names),
    generators: offered.map(({ id }) => id),
    model_generators: [],
    send: false,
    from: firstDay(first, last),
    to: last ?? '',
    days: 14,
    sources: 'each',
    source_ids: null,
    repeats: 0,
  }))
  // The dialog was opened before there was anything to focus.
  const begins = useRef<HTMLInputElement>(null)
  useEffect(() => begins.current?.focus(), [])
  // Who agreed has to see what it has become.
  const change = (part: Partial<RunPlan>) => setPlan((old) => ({ ...old, send: false, ...part }))
  const { name, send, ...rest } = plan
  const hasGenerator = rest.generators.length + rest.model_generators.length > 0
  const isComplete =
    name.trim() !== '' &&
    hasGenerator &&
    rest.model_generators.every(isCompleteGenerator) &&
    rest.from !== '' &&
    rest.to !== ''
  // The name does not change what a run takes.
  const settled = useSettled(JSON.stringify(rest))
  const asked = isComplete && settled === JSON.stringify(rest) ? { name: 'estimate', send: false, ...rest } : null
  const estimate = useEstimate(asked)
  const start = useStartRun()
  // Answers that are known from earlier runs are not asked for; but they may be gone when the run starts.
  const asksModel = rest.model_generators.length > 0
  const mustAgree = asksModel && !send && estimate.data?.calls !== 0
  if (last === null) return <p>There is no feedback yet. Connect a source or import a file first.</p>
  return (
    <Form
      onSubmit={() =>
        start.mutateAsync({ ...plan, name: name.trim(), send: asksModel && !mustAgree }, { onSuccess: onClose })
      }
      className="flex flex-col gap-3"
    >
      <Field label="Name">
        {(ids) => (
          <Input
            {...ids}
            ref={begins}
            value={name}
            maxLength={80}
            required
            pattern="[\p{L}\p{N}][\p{L}\p{N} ._\-]*"
            title="Letters, digits, spaces, dots and dashes"
            onChange={(event) => change({ name: event.target.value, send })}
          />
        )}
      </Field>
      <GeneratorFields offered={offered} model={model} plan={plan} change={change} />
      <WindowFields sources={sources} plan={plan} change={change} />
      <p role="status" aria-label="Estimate" className="min-h-10 text-small text-muted">
        {hasGenerator
          ? (estimate.error?.message ?? (estimate.data ? estimateText(estimate.data) : 'Estimating...'))
          : 'Choose at least one generator.'}
      </p>
      {model && estimate.data && estimate.data.calls > 0 ? (
        <Sending
          where={model.where}
          use={estimate.data}
          agreed={send}
          onChange={(agreed) => change({ send: agreed })}
        />
      ) : null}
      {start.isError ? (
        <p role="alert" className="text-bad">
          {start.error.message}
        </p>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          disabled={!isComplete || !estimate.data || mustAgree}
          busy={start.isPending}
        >
          Start run
        </Button>
      </div>
    </Form>
  )
}

function estimateText({
  messages,
  windows,
  answers,
  made,
  calls,
}: NonNullable<ReturnType<typeof useEstimate>['data']>): string {
  const known = made === 0 ? '' : `, ${count(made)} of them known from earlier runs`
  const model = calls === 0 ? ' No language model is called.' : ''
  return `${plural(messages, 'message')} in ${plural(windows, 'window')}: ${plural(answers, 'answer')}${known}.${model}`
}

/** A name that no run has: that of today, with a number where needed. */
function freeName(names: readonly string[]): string {
  const today = new Date().toISOString().slice(0, 10)
  let name = today
  for (let number = 2; names.includes(name); number++) name = `${today} ${number}`
  return name
}

function firstDay(first: string | null, last: string | null): string {
  if (first === null || last === null) return ''
  const early = new Date(Date.parse(last) - (FIRST_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  return early < first ? first : early
}
