import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { TextareaHTMLAttributes } from 'react'
import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, useId } from 'react'

/** The style of every text input. */
const boxClass =
  'w-full rounded border bg-surface px-3 text-text disabled:bg-hover disabled:text-muted aria-[invalid=true]:border-bad'

type FieldProps = {
  label: string
  help?: ReactNode
  error?: string | undefined
  hideLabel?: boolean
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode
}

/** A label, a control and, below it, its error or its help. */
export function Field({ label, help, error, hideLabel = false, children }: FieldProps) {
  const id = useId()
  const note = error ?? help
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-small font-medium text-muted'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': error !== undefined })}
      {note ? (
        <p id={`${id}-note`} className={clsx('text-small', error ? 'text-bad' : 'text-muted')}>
          {note}
        </p>
      ) : null}
    </div>
  )
}

/** A text field of one line. */
export function Input({ className, ...rest }: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  return <input {...rest} className={clsx(boxClass, 'h-8 border-line-strong/60', className)} />
}

/** A text field of several lines, which the person can make taller. */
export function TextArea({
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea {...rest} className={clsx(boxClass, 'resize-y border-line-strong/60 py-1.5', className)} />
}

/** A list of choices, opened by the browser. */
export function Select({
  className,
  children,
  ...rest
}: SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }) {
  return (
    <span className={clsx('relative inline-flex', className)}>
      <select {...rest} className={clsx(boxClass, 'h-8 appearance-none border-line-strong/60 pr-8')}>
        {children}
      </select>
      <ChevronDown
        size={14}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
