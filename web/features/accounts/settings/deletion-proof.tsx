import type { DeletionProof } from '@groundswell/contract/accounts/my-account.ts'
import { formText } from '../../../ui/text/form-text.ts'
import { PlainCodeField } from '../code-field.tsx'
import { PasswordField } from '../password/password-field.tsx'

/** Asks for the proof that a deletion requires; a recent sign-in needs no field. */
export function ProofField({ proof }: { proof: DeletionProof }) {
  if (proof === 'password') return <PasswordField label="Your password" name="password" kind="current" />
  return proof === 'code' ? <PlainCodeField label="Code from your authenticator app" /> : null
}

/** What was typed there. */
export function readProof(form: FormData, proof: DeletionProof | undefined): { password?: string; code?: string } {
  if (proof === 'password') return { password: formText(form, 'password') }
  return proof === 'code' ? { code: formText(form, 'code').replaceAll(/\s/g, '') } : {}
}

/** While what would be deleted is being read. */
export function DeletionSkeleton() {
  return (
    <div role="status" aria-label="Checking what would be deleted" className="flex flex-col gap-2">
      <div className="skeleton h-3 w-full" />
      <div className="skeleton h-3 w-2/3" />
    </div>
  )
}
