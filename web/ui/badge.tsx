import clsx from 'clsx'
import type { ReactNode } from 'react'

/** The colour of a badge by what it says. */
export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad'

const tones: Record<Tone, string> = {
  plain: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent-strong',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
}

/** A word in a coloured box. The word carries all the information; the colour only helps to find it. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex h-5 items-center rounded-small px-1.5 text-small font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
