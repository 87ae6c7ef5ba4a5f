import { type KeyboardEvent, useState } from 'react'
import { Field, Input } from '../../ui/field.tsx'
import { PASSWORD_RULES, passwordProblem } from './password-rules.ts'

type PasswordFieldProps = {
  label: string
  name: string
  /** A new password is held to the rules, which stand under it from the start. */
  kind: 'current' | 'new'
  error?: string | undefined
  autoFocus?: boolean
}

/** A password: it can be shown, says when caps lock is on, and tells password managers what it is. */
export function PasswordField({ label, name, kind, error, autoFocus = false }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isNew = kind === 'new'
  const noticeCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const help = capsLock ? 'Caps lock is on.' : isNew ? PASSWORD_RULES : undefined
  return (
    <Field label={label} help={help} error={problem ?? error}>
      {(ids) => (
        <span className="relative block">
          <Input
            {...ids}
            name={name}
            type={shown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={autoFocus}
            maxLength={1024}
            required
            className="pr-14"
            onKeyUp={noticeCapsLock}
            onKeyDown={noticeCapsLock}
            onBlur={({ currentTarget: { value } }) => setProblem(isNew && value !== '' ? passwordProblem(value) : null)}
            onChange={({ currentTarget: { value } }) =>
              setProblem((told) => (told === null ? null : passwordProblem(value)))
            }
          />
          <button
            type="button"
            aria-pressed={shown}
            aria-controls={ids.id}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0 rounded px-3 text-small font-medium text-muted hover:text-text"
          >
            {shown ? 'Hide' : 'Show'}
          </button>
        </span>
      )}
    </Field>
  )
}
