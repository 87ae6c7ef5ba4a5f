import { type FormEvent, type FormHTMLAttributes, type Ref, useRef } from 'react'

/** The event of a form that is sent. */
export type SendEvent = FormEvent<HTMLFormElement>

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> & {
  /** Sends the form, and shows by itself how that ended. Nothing is sent a second time before the promise is settled. */
  onSubmit: (event: SendEvent) => Promise<unknown> | undefined
  ref?: Ref<HTMLFormElement>
}

/**
 * The only form of the app. A second click or Enter while something is on its way is ignored: a button that is disabled by the
 * next drawing would be too late for it.
 */
export function Form({ onSubmit, ...rest }: FormProps) {
  const sending = useRef(false)
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        if (sending.current) return
        sending.current = true
        const over = () => {
          sending.current = false
        }
        void Promise.resolve(onSubmit(event)).then(over, over)
      }}
    />
  )
}
