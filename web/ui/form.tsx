import { type FormEvent, type FormHTMLAttributes, type Ref, useRef } from 'react'

/** The submit event of a form. */
export type SendEvent = FormEvent<HTMLFormElement>

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> & {
  /** Submits the form and shows the result. Nothing is submitted again before the promise is settled. */
  onSubmit: (event: SendEvent) => Promise<unknown> | undefined
  ref?: Ref<HTMLFormElement>
}

/**
 * The only form of the app. A second click or Enter during a submission is ignored: disabling the button in the next render
 * would be too late.
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
