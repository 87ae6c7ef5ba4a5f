import type { EmailOtpType } from '@supabase/auth-js'
import { useMutation } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { Form, type SendEvent } from '../../ui/form.tsx'
import { formText } from '../../ui/text/form-text.ts'
import { authClient } from '../client/index.ts'
import { Alert } from './alert.tsx'
import { settled } from './auth-words.ts'
import { CodeField } from './code-field.tsx'

type MailCodeFormProps = { type: EmailOtpType; email: string; onDone: () => void | Promise<void> }

/**
 * Accepts the code of a mail instead of its link, for a mail that is read on another device. It signs in as the link does:
 * when `onDone` is called the token is stored, and no screen has been notified yet.
 */
export function MailCodeForm({ type, email, onDone }: MailCodeFormProps) {
  const check = useMutation({
    mutationFn: async (token: string) => settled(await (await authClient()).verifyOtp({ type, email, token })),
    onSuccess: onDone,
  })
  const submit = (event: SendEvent) => {
    return check.mutateAsync(formText(new FormData(event.currentTarget), 'code').replaceAll(/\s/g, ''))
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-3">
      <CodeField label="Code from the email" />
      {check.isError ? <Alert title="Something went wrong">{check.error.message}</Alert> : null}
      <Button type="submit" look="primary" busy={check.isPending} className="h-9 w-full">
        Continue
      </Button>
    </Form>
  )
}
