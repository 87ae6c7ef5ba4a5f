import { type KeyboardEvent, useState } from 'react'
import { Field, Input } from '../../../ui/field.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { PASSWORD_RULES, passwordProblem } from './password-rules.ts'
import type { passwordStrength } from './password-strength.ts'
import { StrengthBars, StrengthText } from './strength-hint.tsx'

type PasswordFieldProps = {
  label: string
  name: string
  /** A new password is checked against the rules, which are shown below it from the start. */
  kind: 'current' | 'new'
  error?: string | undefined
  autoFocus?: boolean
  /** The first focus of its dialog. */
  begins?: boolean
}

type Typed = { password: string; own: readonly string[] }

/**
 * A password field: it can be revealed, warns about caps lock, sets the autocomplete type, and rates the strength of a new
 * password. The rating takes the place of the rules: what is below the field must not move while somebody clicks it.
 */
export function PasswordField({ label, name, kind, error, autoFocus = false, begins }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [typed, setTyped] = useState<Typed | null>(null)
  const [estimate, setEstimate] = useState<typeof passwordStrength | null>(null)
  const isNew = kind === 'new'
  const rate = (input: HTMLInputElement) => {
    if (typed === null) {
      // Loaded on first use. If that fails, only the rating is missing.
      void import('./password-strength.ts').then(
        (loaded) => setEstimate(() => loaded.passwordStrength),
        () => undefined,
      )
    }
    const own = ['email', 'name'].map((field) => formText(new FormData(input.form ?? undefined), field))
    setTyped({ password: input.value, own })
  }
  const noticeCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const strength = estimate && typed?.password ? estimate(typed.password, typed.own) : null
  const rules = strength ? <StrengthText {...strength} /> : isNew ? PASSWORD_RULES : undefined
  const help = capsLock ? 'Caps lock is on.' : rules
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
              data-begins={begins || undefined}
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
          {isNew ? <StrengthBars score={strength?.score ?? null} /> : null}
        </div>
      )}
    </Field>
  )
}
