import { type RunPlan, WINDOW_DAYS } from '@groundswell/contract/evaluation/runs.ts'
import { Field, Input, Select } from '../../ui/field.tsx'
import { ModelGenerators } from './model-generators.tsx'
import type { RunOptions } from './run-queries.ts'

const REPEATS = 2

const WINDOW_WORDS: Record<(typeof WINDOW_DAYS)[number], string> = {
  7: 'A week',
  14: 'Two weeks',
  30: '30 days',
  90: '90 days',
}

const TOGETHER = 'together'
/** Begins the value of a single source, whose name may be any text. */
const ONE = 'only '

type FieldsProps = { plan: RunPlan; change: (part: Partial<RunPlan>) => void }

/** Which generators of those that the server offers, and which with a language model. */
export function GeneratorFields({ offered, model, plan, change }: FieldsProps & Pick<RunOptions, 'offered' | 'model'>) {
  return (
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
  )
}

/** Which feedback: its days, its sources and how it is divided; and how often each part is answered. */
export function WindowFields({ sources, plan, change }: FieldsProps & { sources: RunOptions['source_ids'] }) {
  return (
    <>
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
              <option value="">Each on its own</option>
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
    </>
  )
}

function sourcesValue({ sources, source_ids: ids }: Pick<RunPlan, 'sources' | 'source_ids'>): string {
  return ids?.[0] === undefined ? (sources === 'together' ? TOGETHER : '') : `${ONE}${ids[0]}`
}

function sourcesPart(value: string): Pick<RunPlan, 'sources' | 'source_ids'> {
  if (value.startsWith(ONE)) return { sources: 'each', source_ids: [value.slice(ONE.length)] }
  return { sources: value === TOGETHER ? 'together' : 'each', source_ids: null }
}
