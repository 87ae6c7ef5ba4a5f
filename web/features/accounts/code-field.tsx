import { Field, Input } from '../../ui/field.tsx'

/** The six-digit code of an authenticator app. The sixth digit submits the form. */
export function CodeField({ label = 'Code' }: { label?: string }) {
  return <Digits label={label} sends />
}

/** The same without submitting on the sixth digit. */
export function PlainCodeField({ label }: { label: string }) {
  return <Digits label={label} sends={false} />
}

function Digits({ label, sends }: { label: string; sends: boolean }) {
  return (
    <Field label={label}>
      {(ids) => (
        <Input
          {...ids}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9 ]{6,7}"
          title="Six digits"
          maxLength={7}
          autoFocus
          required
          className="h-10 text-center font-mono !text-title tracking-[0.3em]"
          onChange={({ currentTarget: { value, form } }) => {
            if (sends && /^\d{6}$/.test(value)) form?.requestSubmit()
          }}
        />
      )}
    </Field>
  )
}

/** A recovery code. */
export function RecoveryCodeField() {
  return (
    <Field label="Recovery code">
      {(ids) => (
        <Input
          {...ids}
          name="code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          autoFocus
          required
          className="h-10 font-mono"
        />
      )}
    </Field>
  )
}
