import { useMutation } from '@tanstack/react-query'
import { toast } from '../../ui/toast-store.ts'
import { authClient } from '../client/index.ts'
import { settled } from './auth-words.ts'

/** Sends the mail that confirms an address once more. */
export function ConfirmMailButton({ email }: { email: string }) {
  const send = useMutation({
    mutationFn: async () => {
      const emailRedirectTo = `${location.origin}/auth?step=confirmed`
      settled(await (await authClient()).resend({ type: 'signup', email, options: { emailRedirectTo } }))
    },
    onSuccess: () => toast({ title: 'Mail sent', description: `Follow the link in the mail to ${email}.` }),
    onError: (error) => toast({ title: 'The mail was not sent', description: error.message, tone: 'destructive' }),
  })
  return (
    <button
      type="button"
      disabled={send.isPending}
      onClick={() => send.mutate()}
      className="rounded-small font-medium text-accent underline-offset-2 hover:underline disabled:opacity-55"
    >
      Send the mail again
    </button>
  )
}
