import { login, signup } from '@groundswell/contract/accounts.ts'
import type { PublicConfig } from '@groundswell/contract/operations.ts'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { CallError, call, logFailure, storeSignIn } from '../../client/index.ts'
import { Alert } from '../alert.tsx'
import { hasAccounts } from '../auth-server.ts'
import { afterSignIn, goToOnboarding } from '../onboarding.ts'
import { PasswordField } from '../password/password-field.tsx'
import { passwordProblem } from '../password/password-rules.ts'
import { awaitSecondFactor, enterSession } from '../session.ts'
import { noteMailRequested } from '../started-here.ts'
import { pendingInvitation } from './invitation-token.ts'

type AuthMode = 'login' | 'signup'

type Refusal = { message: string; reason: string | undefined; fields: Record<string, string> }

/** The message from the catalogue; for a sign-up also the server's own reason, if it gives one. */
function refusal(mode: AuthMode, error: unknown): Refusal {
  const message = mode === 'login' ? 'Wrong email or password' : 'Error creating account'
  if (!(error instanceof CallError)) return { message, reason: undefined, fields: {} }
  const named = error.code !== undefined && error.code !== 'login_refused' && error.code !== 'internal'
  const hasReason = error.status === 0 || (named && (mode === 'signup' || error.code !== 'invalid_input'))
  const atField = Object.keys(error.fields).some((name) => ['email', 'password', 'name', 'setup_token'].includes(name))
  return {
    message,
    reason: hasReason && !atField ? error.message : undefined,
    fields: mode === 'signup' ? error.fields : {},
  }
}

type AuthFormProps = {
  mode: AuthMode
  config: PublicConfig | null | undefined
  /** The account exists, but its email must be confirmed before the first log-in. */
  onUnconfirmed: (email: string) => void
}

/** Email and password, and for a sign-up the name. On success the browser leaves this screen, or the second factor follows. */
export function AuthForm({ mode, config, onUnconfirmed }: AuthFormProps) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refusal | null>(null)

  async function submit(event: SendEvent) {
    const form = new FormData(event.currentTarget)
    const field = (name: string) => formText(form, name)
    const credentials = { email: field('email').trim(), password: field('password') }
    const problem = mode === 'signup' && hasAccounts(config) ? passwordProblem(credentials.password) : null
    if (problem !== null) {
      setRefused({ message: 'Error creating account', reason: undefined, fields: { password: problem } })
      return
    }
    setBusy(true)
    setRefused(null)
    try {
      const setupToken = field('setup_token').trim()
      const invitation = pendingInvitation()
      if (mode === 'signup') noteMailRequested(credentials.email)
      const reply =
        mode === 'login'
          ? await call(login, { body: credentials })
          : await call(signup, {
              body: {
                ...credentials,
                name: field('name').trim(),
                ...(setupToken ? { setup_token: setupToken } : {}),
                ...(invitation === null ? {} : { invitation }),
              },
            })
      if (reply.mfa_required) {
        awaitSecondFactor(reply)
        void navigate('/auth?step=second-factor', { replace: true })
      } else if (mode === 'signup' || reply.is_new_user) {
        storeSignIn(reply)
        await goToOnboarding()
      } else {
        await enterSession(reply)
        void navigate(afterSignIn(), { replace: true })
      }
    } catch (error) {
      if (error instanceof CallError && error.code === 'email_unconfirmed') {
        onUnconfirmed(credentials.email)
        return
      }
      logFailure(mode === 'login' ? 'Login failed' : 'Sign-up failed')(error)
      setRefused(refusal(mode, error))
      setBusy(false)
    }
  }

  return (
    <Form onSubmit={submit} className="flex flex-col gap-3">
      {mode === 'signup' ? (
        <Field label="Name" error={refused?.fields['name']}>
          {(ids) => <Input {...ids} name="name" type="text" autoComplete="name" maxLength={200} required />}
        </Field>
      ) : null}
      <Field label="Email" error={refused?.fields['email']}>
        {(ids) => (
          <Input
            {...ids}
            name="email"
            type="email"
            autoComplete={mode === 'login' ? 'username' : 'email'}
            maxLength={320}
            required
          />
        )}
      </Field>
      <div className="relative">
        <PasswordField
          label="Password"
          name="password"
          kind={mode === 'login' ? 'current' : 'new'}
          error={refused?.fields['password']}
        />
        {mode === 'login' && hasAccounts(config) ? (
          // Out of the flow: the button must not move when the configuration arrives, since a click on it would be lost.
          <Link
            to="/auth?step=forgot"
            className="absolute top-0 right-0 rounded-small text-small text-muted hover:text-text"
          >
            Forgot your password?
          </Link>
        ) : null}
      </div>
      {refused ? <Alert title={refused.message}>{refused.reason}</Alert> : null}
      <Button type="submit" look="primary" busy={busy} className="mt-1 h-9 w-full">
        {mode === 'login' ? 'Log in' : 'Sign up'}
      </Button>
      {mode === 'signup' && config?.needs_setup_token ? (
        <Field
          label="Set-up token (optional)"
          help="Printed in the server log. It makes the first account an administrator."
          error={refused?.fields['setup_token']}
        >
          {(ids) => <Input {...ids} name="setup_token" type="text" autoComplete="off" maxLength={200} />}
        </Field>
      ) : null}
    </Form>
  )
}
