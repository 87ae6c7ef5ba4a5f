import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { authClient } from '../../client/index.ts'
import { usePublicConfig } from '../../operations/index.ts'
import { Alert } from '../alert.tsx'
import { AuthScreen } from '../auth-screen.tsx'
import { settled } from '../auth-words.ts'
import { MailCodeForm } from '../mail-code-form.tsx'
import { noteMailRequested } from '../started-here.ts'

/** /auth?step=forgot: requests a link to set a new password. The reply is the same whether or not the account exists. */
export function ForgotStep() {
  const mail = usePublicConfig()?.mail
  const [sentTo, setSentTo] = useState<string | null>(null)
  const ask = useMutation({
    mutationFn: async (email: string) => {
      noteMailRequested(email)
      const redirectTo = `${location.origin}/auth?step=new-password`
      settled(await (await authClient()).resetPasswordForEmail(email, { redirectTo }))
      return email
    },
    onSuccess: setSentTo,
  })
  const submit = (event: SendEvent) => {
    return ask.mutateAsync(formText(new FormData(event.currentTarget), 'email').trim())
  }
  if (sentTo !== null) {
    return (
      <AuthScreen title={mail === false ? 'A link is ready' : 'Check your email'}>
        <MailCheck size={24} aria-hidden className="mb-3 text-accent" />
        <p role="status">
          If there is an account for <b className="break-words">{sentTo}</b>,{' '}
          {mail === false
            ? 'the link is now in the server log, because email is not set up. Ask the server’s operator for it.'
            : 'an email with a link to set a new password is on its way. It may take a minute.'}
        </p>
        <p className="mt-2 text-muted">It works once and expires after 10 minutes.</p>
        <p className="mt-4 mb-3 text-muted">Or enter the code that came with it:</p>
        <MailCodeForm
          type="recovery"
          email={sentTo}
          // A full page load: if the session were set here, this screen would redirect to the insights.
          onDone={() => location.replace('/auth?step=new-password')}
        />
        <div className="mt-3 flex flex-col gap-2">
          <Button className="h-9 w-full" onClick={() => setSentTo(null)}>
            Request another
          </Button>
          <BackToLogin />
        </div>
      </AuthScreen>
    )
  }
  return (
    <AuthScreen title="Forgot your password?">
      <Form onSubmit={submit} className="flex flex-col gap-3">
        <p className="text-muted">
          {mail === false
            ? 'Email is not set up on this server, so the link to set a new password is written to its log.'
            : 'Enter the email you signed up with, and we will send you a link to set a new password.'}
        </p>
        <Field label="Email">
          {(ids) => (
            <Input {...ids} name="email" type="email" autoComplete="username" maxLength={320} autoFocus required />
          )}
        </Field>
        {ask.isError ? <Alert title="The link could not be created">{ask.error.message}</Alert> : null}
        <Button type="submit" look="primary" busy={ask.isPending} className="mt-1 h-9 w-full">
          {mail === false ? 'Create a link' : 'Send the link'}
        </Button>
        <BackToLogin />
      </Form>
    </AuthScreen>
  )
}

/** The link back from a step of /auth. */
export function BackToLogin({ children = 'Back to log in' }: { children?: string }) {
  return (
    <Link to="/auth" replace className="mt-2 self-center rounded-small text-muted hover:text-text">
      {children}
    </Link>
  )
}
