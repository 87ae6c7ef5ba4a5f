import {
  MAX_MODEL_GENERATORS,
  type ModelGenerator,
  REASONINGS,
  RESPONSE_CLASS_NAMES,
  VERBOSITIES,
} from '@groundswell/contract/evaluation/runs.ts'
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, Input, Select, TextArea } from '../../ui/field.tsx'

const METHODS = {
  'read-group-review': 'Read, group, review',
  'single-prompt': 'One prompt for each window',
} as const satisfies Record<ModelGenerator['method'], string>

const CLASSES = {
  IssueName: 'Name',
  Issue: 'Name and summary',
  IssueWithQuotes: 'Name, summary, quotes',
  IssueWithQuotesAndTags: 'Name, summary, quotes, tags',
} as const satisfies Record<ModelGenerator['response_class'], string>

const FIRST_PROMPT =
  'List the recurring problems and requests in these messages. Name each one so that a product team knows what to change.'

type ModelGeneratorsProps = {
  /** The server's language model. */
  model: string
  value: readonly ModelGenerator[]
  onChange: (value: ModelGenerator[]) => void
}

/** The generators of a run that call the language model: any number, each with its settings. */
export function ModelGenerators({ model, value, onChange }: ModelGeneratorsProps) {
  const add = () => {
    const last = value.at(-1)
    onChange([...value, last ? { ...last, label: null } : firstGenerator(model)])
  }
  return (
    <>
      {value.map((one, at) => (
        <ModelGeneratorFields
          key={at}
          number={at + 1}
          value={one}
          onChange={(part) => onChange(value.map((each, index) => (index === at ? { ...each, ...part } : each)))}
          onRemove={() => onChange(value.filter((_, index) => index !== at))}
        />
      ))}
      {value.length < MAX_MODEL_GENERATORS ? (
        <Button className="mt-1 self-start" onClick={add}>
          <Plus size={14} aria-hidden />
          Add one with a language model
        </Button>
      ) : null}
    </>
  )
}

/** Whether its required fields are filled in. */
export function isCompleteGenerator({ llm_model_name: name, method, system_prompt: prompt }: ModelGenerator): boolean {
  return name.trim() !== '' && (method !== 'single-prompt' || (prompt ?? '').trim() !== '')
}

function firstGenerator(model: string): ModelGenerator {
  return {
    label: null,
    method: 'read-group-review',
    llm_model_name: model,
    system_prompt: null,
    temperature: null,
    reasoning: null,
    verbosity: null,
    response_class: 'IssueWithQuotesAndTags',
  }
}

type ModelGeneratorFieldsProps = {
  number: number
  value: ModelGenerator
  onChange: (part: Partial<ModelGenerator>) => void
  onRemove: () => void
}

function ModelGeneratorFields({ number, value, onChange, onRemove }: ModelGeneratorFieldsProps) {
  const name = `Generator ${number}`
  return (
    <div role="group" aria-label={name} className="mt-1 flex flex-col gap-3 rounded border border-line px-3 py-3">
      <div className="flex items-center justify-between">
        <p className="font-medium">{name}</p>
        <IconButton label={`Remove generator ${number}`} onClick={onRemove}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      <Field label="Method">
        {(ids) => (
          <Select
            {...ids}
            value={value.method}
            onChange={({ target }) => {
              const method = target.value as ModelGenerator['method']
              onChange({ method, system_prompt: method === 'single-prompt' ? FIRST_PROMPT : null })
            }}
          >
            {Object.entries(METHODS).map(([method, words]) => (
              <option key={method} value={method}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {value.method === 'single-prompt' ? (
        <Field label="System prompt">
          {(ids) => (
            <TextArea
              {...ids}
              rows={4}
              required
              maxLength={20_000}
              value={value.system_prompt ?? ''}
              onChange={({ target }) => onChange({ system_prompt: target.value })}
            />
          )}
        </Field>
      ) : null}
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <Field label="Model">
          {(ids) => (
            <Input
              {...ids}
              required
              maxLength={200}
              value={value.llm_model_name}
              onChange={({ target }) => onChange({ llm_model_name: target.value })}
            />
          )}
        </Field>
        <Field label="Column name">
          {(ids) => (
            <Input
              {...ids}
              maxLength={100}
              placeholder="Made of its settings"
              value={value.label ?? ''}
              onChange={({ target }) => onChange({ label: target.value.trim() === '' ? null : target.value })}
            />
          )}
        </Field>
        <Field label="Temperature">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={0}
              max={2}
              step={0.1}
              placeholder="The model’s"
              value={value.temperature ?? ''}
              onChange={({ target }) => onChange({ temperature: target.value === '' ? null : Number(target.value) })}
            />
          )}
        </Field>
        <Choice
          label="Reasoning"
          values={REASONINGS}
          value={value.reasoning}
          onChange={(reasoning) => onChange({ reasoning })}
        />
        <Choice
          label="Verbosity"
          values={VERBOSITIES}
          value={value.verbosity}
          onChange={(verbosity) => onChange({ verbosity })}
        />
        <Field label="Response">
          {(ids) => (
            <Select
              {...ids}
              value={value.response_class}
              onChange={({ target }) => onChange({ response_class: target.value as ModelGenerator['response_class'] })}
            >
              {RESPONSE_CLASS_NAMES.map((one) => (
                <option key={one} value={one}>
                  {CLASSES[one]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </div>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  values: readonly Value[]
  value: Value | null
  onChange: (value: Value | null) => void
}

/** One of these values, or what the model does by default. */
function Choice<Value extends string>({ label, values, value, onChange }: ChoiceProps<Value>) {
  return (
    <Field label={label}>
      {(ids) => (
        <Select
          {...ids}
          value={value ?? ''}
          onChange={({ target }) => onChange(values.find((one) => one === target.value) ?? null)}
        >
          <option value="">The model’s</option>
          {values.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
