import clsx from 'clsx'
import type { PasswordStrength } from './password-strength.ts'

const BARS = [1, 2, 3, 4] as const

/** The strength of a new password as four bars; null: not rated (yet). */
export function StrengthBars({ score }: { score: PasswordStrength['score'] | null }) {
  const lit = score === null ? 0 : Math.max(score, 1)
  const colour = lit < 2 ? 'bg-bad' : lit < 3 ? 'bg-warn-dot' : 'bg-good'
  return (
    <div className="mt-1.5 flex gap-1" data-strength={score ?? undefined} aria-hidden>
      {BARS.map((bar) => (
        <span key={bar} className={clsx('h-1 flex-1 rounded-full', bar <= lit ? colour : 'bg-line')} />
      ))}
    </div>
  )
}

/** The strength of a new password as a phrase. Only a hint: the field reports refusals. */
export function StrengthText({ score, word, reason }: PasswordStrength) {
  return (
    <span role="status">
      <span className="font-medium text-text">{word}.</span>{' '}
      {reason ?? (score < 3 ? 'Add another word or two to make it stronger.' : null)}
    </span>
  )
}
