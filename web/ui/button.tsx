import clsx from 'clsx'
import type { ButtonHTMLAttributes, Ref } from 'react'

type Look = 'primary' | 'secondary' | 'quiet' | 'danger'

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  secondary: 'bg-surface text-text border-line hover:bg-hover',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-hover hover:text-text',
  danger: 'bg-surface text-bad border-line hover:bg-bad-soft',
}

/** The classes of a button, for links that look like one. */
export function buttonClass(look: Look = 'secondary', extra?: string): string {
  return clsx(
    'inline-flex h-8 shrink-0 items-center justify-center gap-2 rounded border px-3 font-medium whitespace-nowrap',
    'transition-colors disabled:pointer-events-none disabled:opacity-55',
    looks[look],
    extra,
  )
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: Look
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

/** A button. `busy` disables it and sets aria-busy; its label stays, so that nothing moves. */
export function Button({ look = 'secondary', busy = false, className, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass(look, className)}
    />
  )
}

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { label: string; ref?: Ref<HTMLButtonElement> }

/** A square button with only an icon; `label` is its name. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      {...rest}
      className={clsx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded text-muted transition-colors',
        'hover:bg-hover hover:text-text disabled:pointer-events-none disabled:opacity-50',
        className,
      )}
    />
  )
}
