import {
  SSO_ROLES,
  type SsoRole,
  type SsoSettings,
  saveSingleSignOn,
} from '@groundswell/contract/accounts/single-sign-on.ts'
import { useMutation } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { copyText } from '../../../ui/text/copy-text.ts'
import { formText } from '../../../ui/text/form-text.ts'
import { CallError, call } from '../../client/index.ts'
import { ROLE_WORDS } from './role-words.ts'

type SsoDialogProps = { settings: SsoSettings | null; redirectUri: string; onClose: () => void; onSaved: () => void }

/** Asks for the identity provider's client settings. A stored secret is not shown, and is kept unless another one is entered. */
export function SsoDialog({ settings, redirectUri, onClose, onSaved }: SsoDialogProps) {
  const save = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => formText(form, name).trim()
      const secret = text('client_secret')
      return call(saveSingleSignOn, {
        body: {
          issuer: text('issuer'),
          client_id: text('client_id'),
          ...(secret === '' ? {} : { client_secret: secret }),
          domains: text('domains')
            .split(/[\s,;]+/)
            .filter((domain) => domain !== ''),
          default_role: text('default_role') as SsoRole,
        },
      })
    },
    onSuccess: onSaved,
  })
  const faults = save.error instanceof CallError ? save.error.fields : {}
  const domainFault = Object.entries(faults).find(([name]) => name.startsWith('domains'))?.[1]
  const isShown = ['issuer', 'client_id', 'client_secret'].some((name) => faults[name]) || domainFault !== undefined
  const submit = (event: SendEvent) => save.mutateAsync(new FormData(event.currentTarget))
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Identity provider"
      description="Register a web application at your provider, with this redirect URI:"
    >
      <p className="flex items-center gap-2 rounded bg-hover px-4 py-2 font-mono text-small break-all">
        <span className="flex-1">{redirectUri}</span>
        <IconButton label="Copy the address" onClick={() => void copyText(redirectUri, 'The address')}>
          <Copy size={14} aria-hidden />
        </IconButton>
      </p>
      <Form onSubmit={submit} className="mt-4 flex flex-col gap-4" noValidate>
        <Field label="Issuer" error={faults['issuer']} help="The provider’s address, such as https://login.example.com">
          {(ids) => (
            <Input
              {...ids}
              data-begins
              name="issuer"
              type="url"
              maxLength={500}
              required
              defaultValue={settings?.issuer}
            />
          )}
        </Field>
        <Field label="Client ID" error={faults['client_id']}>
          {(ids) => (
            <Input
              {...ids}
              name="client_id"
              autoComplete="off"
              maxLength={300}
              required
              defaultValue={settings?.client_id}
            />
          )}
        </Field>
        <Field
          label="Client secret"
          error={faults['client_secret']}
          help={settings ? 'Leave it empty to keep the stored one.' : undefined}
        >
          {(ids) => <Input {...ids} name="client_secret" type="password" autoComplete="off" maxLength={1000} />}
        </Field>
        <Field
          label="E-mail domains (optional)"
          error={domainFault}
          help="People with an address in one of these domains can join. Without any, only linked accounts can sign in."
        >
          {(ids) => <Input {...ids} name="domains" autoComplete="off" defaultValue={settings?.domains.join(', ')} />}
        </Field>
        <Field label="They join as">
          {(ids) => (
            <Select {...ids} name="default_role" defaultValue={settings?.default_role ?? 'member'}>
              {SSO_ROLES.map((role) => (
                <option key={role} value={role}>
                  {ROLE_WORDS[role]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {save.isError && !isShown ? (
          <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
            Not saved. {save.error.message}
          </p>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
