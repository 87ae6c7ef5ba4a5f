import { type RunPlan, WINDOW_DAYS } from '@groundswell/contract/evaluation/runs.ts'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { count, plural } from '../../ui/text/plural.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { isCompleteGenerator, ModelGenerators } from './model-generators.tsx'
import { useEstimate, useRunOptions, useStartRun } from './run-queries.ts'
import { Sending } from './sending.tsx'

const DAY_MS = 24 * 3_600_000
/** The days that are chosen at first, up to the last one with feedback. */
const FIRST_DAYS = 56
const REPEATS = 2
const TYPING_PAUSE_MS = 300

const WINDOW_WORDS: Record<(typeof WINDOW_DAYS)[number], string> = {
  7: 'A week',
  14: 'Two weeks',
  30: '30 days',
  90: '90 days',
}

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
  options: NonNullable<ReturnType<typeof useRunOptions>['data']>
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
  const settled = useSettled(JSON.stringify(rest), TYPING_PAUSE_MS)
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
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-small font-medium text-muted">Generators</legend>
        {offered.map(({ id, label, says }) => (
          <label key={id} className="flex items-start gap-2">
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={plan.generators.includes(id)}
              onChange={({ target }) =>
                change({
                  generators: offered
                    .map((one) => one.id)
                    .filter((one) => (one === id ? target.checked : plan.generators.includes(one))),
                })
              }
            />
            <span>
              {label}
              <span className="block text-small text-muted">{says}</span>
            </span>
          </label>
        ))}
        {model ? (
          <ModelGenerators
            model={model.name}
            value={plan.model_generators}
            onChange={(model_generators) => change({ model_generators })}
          />
        ) : null}
      </fieldset>
      <div className="grid grid-cols-2 gap-3">
        <Field label="First day">
          {(ids) => (
            <Input
              {...ids}
              type="date"
              required
              value={plan.from}
              max={plan.to}
              onChange={(event) => change({ from: event.target.value })}
            />
          )}
        </Field>
        <Field label="Last day">
          {(ids) => (
            <Input
              {...ids}
              type="date"
              required
              value={plan.to}
              min={plan.from}
              onChange={(event) => change({ to: event.target.value })}
            />
          )}
        </Field>
      </div>
      {sources.length > 1 ? (
        <Field label="Sources">
          {(ids) => (
            <Select
              {...ids}
              value={sourcesValue(plan)}
              onChange={({ target: { value } }) => change(sourcesPart(value))}
            >
              <option value="">Each by itself</option>
              <option value={TOGETHER}>All together</option>
              {sources.map((source) => (
                <option key={source} value={`${ONE}${source}`}>
                  Only {source}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ) : null}
      <Field label="Length of a window">
        {(ids) => (
          <Select
            {...ids}
            value={plan.days ?? ''}
            onChange={({ target }) => change({ days: target.value === '' ? null : Number(target.value) })}
          >
            {WINDOW_DAYS.map((days) => (
              <option key={days} value={days}>
                {WINDOW_WORDS[days]}
              </option>
            ))}
            <option value="">All days in one window</option>
          </Select>
        )}
      </Field>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={plan.repeats > 0}
          onChange={({ target }) => change({ repeats: target.checked ? REPEATS : 0 })}
        />
        <span>
          Answer each window two more times
          <span className="block text-small text-muted">Then grading says how stable the answers are.</span>
        </span>
      </label>
      <p role="status" aria-label="Estimate" className="min-h-10 text-small text-muted">
        {!hasGenerator
          ? 'Choose at least one generator.'
          : estimate.error
            ? estimate.error.message
            : estimate.data
              ? estimateText(estimate.data)
              : 'Estimating...'}
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

const TOGETHER = 'together'
/** Begins the value of a single source, whose name may be any text. */
const ONE = 'only '

function sourcesValue({ sources, source_ids: ids }: Pick<RunPlan, 'sources' | 'source_ids'>): string {
  return ids?.[0] === undefined ? (sources === 'together' ? TOGETHER : '') : `${ONE}${ids[0]}`
}

function sourcesPart(value: string): Pick<RunPlan, 'sources' | 'source_ids'> {
  if (value.startsWith(ONE)) return { sources: 'each', source_ids: [value.slice(ONE.length)] }
  return { sources: value === TOGETHER ? 'together' : 'each', source_ids: null }
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
