import { type ApiKey, createApiKey, KEY_DAYS } from '@groundswell/contract/api-keys.ts'
import { useMutation } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { copyText } from '../../../ui/text/copy-text.ts'
import { formText } from '../../../ui/text/form-text.ts'
import { call } from '../../client/index.ts'
import { SCOPE_HELP, SCOPE_WORDS } from './key-words.ts'

const SCOPES = Object.keys(SCOPE_WORDS) as ApiKey['scopes']
const NEVER = 'never'

type CreateKeyDialogProps = { onClose: () => void; onCreated: () => void }

/** Asks for the purpose of a new API key, and then shows the key, which cannot be shown again. */
export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const [token, setToken] = useState<string | null>(null)
  return token === null ? (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Create an API key">
      <KeyForm
        onCancel={onClose}
        onCreated={(made) => {
          setToken(made)
          onCreated()
        }}
      />
    </Dialog>
  ) : (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Your API key"
      description="It is shown only once. Store it like a password: anyone who has it can use it."
    >
      <p className="rounded bg-hover px-4 py-3 font-mono text-small break-all">{token}</p>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button data-begins onClick={() => void copyText(token, 'The API key')}>
          <Copy size={14} aria-hidden /> Copy
        </Button>
        <Button look="primary" onClick={onClose}>
          I have saved it
        </Button>
      </div>
    </Dialog>
  )
}

function KeyForm({ onCancel, onCreated }: { onCancel: () => void; onCreated: (token: string) => void }) {
  const [days, setDays] = useState<string>(String(KEY_DAYS[1]))
  const [scopes, setScopes] = useState<ApiKey['scopes']>(['read'])
  const create = useMutation({
    mutationFn: (name: string) => {
      const expires_in_days = KEY_DAYS.find((one) => String(one) === days) ?? null
      return call(createApiKey, { body: { name, scopes, expires_in_days } })
    },
    onSuccess: ({ token }) => onCreated(token),
  })
  const submit = (event: SendEvent) => create.mutateAsync(formText(new FormData(event.currentTarget), 'name').trim())
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" help="What uses the key, such as “Nightly report”.">
        {(ids) => (
          <Input
            {...ids}
            name="name"
            autoComplete="off"
            maxLength={100}
            pattern=".*\S.*"
            title="Enter a name"
            required
            data-begins
          />
        )}
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1 text-small font-medium text-muted">Permissions</legend>
        {SCOPES.map((scope) => (
          <label key={scope} className="flex items-start gap-2">
            <input
              type="checkbox"
              className="mt-1 size-4 shrink-0 accent-accent"
              aria-labelledby={`may-${scope}`}
              aria-describedby={`means-${scope}`}
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(SCOPES.filter((one) => (one === scope ? target.checked : scopes.includes(one))))
              }
            />
            <span>
              <span id={`may-${scope}`}>{SCOPE_WORDS[scope]}</span>
              <span id={`means-${scope}`} className="block text-small text-muted">
                {SCOPE_HELP[scope]}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        label="Expires after"
        help={days === NEVER ? <NeverExpires /> : 'After that, calls with the key are refused.'}
      >
        {(ids) => (
          <Select {...ids} value={days} onChange={(event) => setDays(event.target.value)}>
            {KEY_DAYS.map((count) => (
              <option key={count} value={count}>
                {count} days
              </option>
            ))}
            <option value={NEVER}>Never</option>
          </Select>
        )}
      </Field>
      {create.isError ? (
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
          The key was not created. {create.error.message}
        </p>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={create.isPending} disabled={scopes.length === 0}>
          Create key
        </Button>
      </div>
    </Form>
  )
}

function NeverExpires() {
  return (
    <span className="text-warn">
      If it leaks, it works until somebody notices and revokes it. Prefer a key that expires.
    </span>
  )
}
