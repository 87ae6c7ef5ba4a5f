import type { EmailOtpType } from '@supabase/auth-js'
import { useQueryClient } from '@tanstack/react-query'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { MailCodeForm } from '../mail-code-form.tsx'
import { loadUser } from '../session.ts'

type MailCodeDialogProps = { open: boolean; onClose: () => void; type: EmailOtpType; email: string }

/** Announces a mail and accepts its code. */
export function MailCodeDialog({ open, onClose, type, email }: MailCodeDialogProps) {
  const queries = useQueryClient()
  const done = async () => {
    await loadUser()
    toast({ title: 'Email confirmed', description: `You log in with ${email}.` })
    void queries.invalidateQueries({ queryKey: ['account'] })
    onClose()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title="Check your email"
      description={`We sent an email to ${email}. Follow the link in it, or enter the code here. Both work once and expire after 10 minutes.`}
    >
      {open ? <MailCodeForm type={type} email={email} onDone={done} /> : null}
    </Dialog>
  )
}
