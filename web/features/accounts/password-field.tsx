import { type ComponentType, type KeyboardEvent, useState } from 'react'
import { Field, Input } from '../../ui/field.tsx'
import { formText } from '../../ui/form-text.ts'
import { PASSWORD_RULES, passwordProblem } from './password-rules.ts'

type PasswordFieldProps = {
  label: string
  name: string
  /** A new password is checked against the rules, which are shown below it from the start. */
  kind: 'current' | 'new'
  error?: string | undefined
  autoFocus?: boolean
}

type Hint = ComponentType<{ password: string; own: readonly string[] }>
type Typed = { password: string; own: readonly string[] }

/**
 * A password field: it can be revealed, warns about caps lock, sets the autocomplete type, and rates the strength of a new
 * password.
 */
export function PasswordField({ label, name, kind, error, autoFocus = false }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [typed, setTyped] = useState<Typed | null>(null)
  const [StrengthHint, setStrengthHint] = useState<Hint | null>(null)
  const isNew = kind === 'new'
  const rate = (input: HTMLInputElement) => {
    if (typed === null) {
      // Loaded on first use. If that fails, only the hint is missing.
      void import('./password-strength-hint.tsx').then(
        (loaded) => setStrengthHint(() => loaded.PasswordStrengthHint),
        () => undefined,
      )
    }
    const own = ['email', 'name'].map((field) => formText(new FormData(input.form ?? undefined), field))
    setTyped({ password: input.value, own })
  }
  const noticeCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const help = capsLock ? 'Caps lock is on.' : isNew ? PASSWORD_RULES : undefined
  return (
    <Field label={label} help={help} error={problem ?? error}>
      {(ids) => (
        <div>
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
              onBlur={({ currentTarget: { value } }) =>
                setProblem(isNew && value !== '' ? passwordProblem(value) : null)
              }
              onChange={({ currentTarget }) => {
                setProblem((current) => (current === null ? null : passwordProblem(currentTarget.value)))
                if (isNew) rate(currentTarget)
              }}
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
          {StrengthHint && typed?.password ? <StrengthHint {...typed} /> : null}
        </div>
      )}
    </Field>
  )
}
