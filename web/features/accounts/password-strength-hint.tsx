import clsx from 'clsx'
import { passwordStrength } from './password-strength.ts'

type PasswordStrengthHintProps = { password: string; own: readonly string[] }

const BARS = [1, 2, 3, 4] as const

/** The strength of a password. Only a hint: the field reports refusals. */
export function PasswordStrengthHint({ password, own }: PasswordStrengthHintProps) {
  const { score, word, reason } = passwordStrength(password, own)
  const colour = score < 2 ? 'bg-bad' : score < 3 ? 'bg-warn-dot' : 'bg-good'
  return (
    <div className="mt-1.5 flex flex-col gap-1" data-strength={score}>
      <div className="flex gap-1" aria-hidden>
        {BARS.map((bar) => (
          <span key={bar} className={clsx('h-1 flex-1 rounded-full', bar <= Math.max(score, 1) ? colour : 'bg-line')} />
        ))}
      </div>
      <p role="status" className="text-small text-muted">
        <span className="font-medium text-text">{word}.</span>{' '}
        {reason ?? (score < 3 ? 'Add another word or two to make it stronger.' : null)}
      </p>
    </div>
  )
}
