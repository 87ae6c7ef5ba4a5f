import { Field, Input } from '../../ui/field.tsx'

/** The six digits that an authenticator app shows. The sixth digit sends the form. */
export function CodeField({ label = 'Code' }: { label?: string }) {
  return <Digits label={label} sends />
}

/** The same where nothing must be sent before it is meant. */
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

/** One of the codes that were shown once when the second step was set up. */
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
