import type { FormField } from '@groundswell/contract/connections.ts'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { Form, type SendEvent } from '../../ui/form.tsx'
import { formText } from '../../ui/text/form-text.ts'
import { CallError } from '../client/index.ts'

type ConnectorFormProps = {
  fields: readonly FormField[]
  /** Label of the submit button. */
  action: string
  onCancel?: () => void
  /** Rejects with a CallError, whose fields are shown below the inputs. */
  onConfirm: (values: Record<string, unknown>) => Promise<void>
}

/** A form rendered from a connector's fields. */
export function ConnectorForm({ fields, action, onCancel, onConfirm }: ConnectorFormProps) {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string>()

  async function submit(event: SendEvent) {
    const form = new FormData(event.currentTarget)
    const values: Record<string, unknown> = {}
    for (const { name, kind } of fields) {
      values[name] = kind === 'switch' ? form.get(name) === 'on' : formText(form, name).trim()
    }
    setBusy(true)
    setProblems({})
    setProblem(undefined)
    try {
      await onConfirm(values)
    } catch (error) {
      const named = error instanceof CallError ? error.fields : {}
      setProblems(named)
      if (!fields.some(({ name }) => named[name])) setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }

  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      {fields.map((field) => (
        <FormInput key={field.name} field={field} error={problems[field.name]} />
      ))}
      {problem ? (
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
          {problem}
        </p>
      ) : null}
      <div className="flex justify-end gap-2">
        {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
        <Button type="submit" look="primary" busy={busy}>
          {action}
        </Button>
      </div>
    </Form>
  )
}

function FormInput({ field, error }: { field: FormField; error: string | undefined }) {
  const { name, kind, required, placeholder, help, options } = field
  const optional = !required && !field.label.endsWith('(optional)') && kind !== 'switch'
  return (
    <Field label={optional ? `${field.label} (optional)` : field.label} help={help} error={error}>
      {(ids) =>
        kind === 'select' ? (
          <Select {...ids} name={name} required={required} className="w-full">
            {options?.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </Select>
        ) : kind === 'switch' ? (
          <input {...ids} type="checkbox" name={name} className="size-4 accent-accent" />
        ) : (
          <Input
            {...ids}
            name={name}
            type={kind === 'secret' ? 'password' : 'text'}
            inputMode={kind === 'url' ? 'url' : undefined}
            autoComplete="off"
            spellCheck={false}
            required={required}
            placeholder={placeholder}
          />
        )
      }
    </Field>
  )
}
