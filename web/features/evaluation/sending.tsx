import { count, plural } from '../../ui/text/plural.ts'

/** About how much of a language model is used. `tokens_left`: of today's budget for evaluation; null: there is no budget. */
type Use = { calls: number; tokens: number; tokens_left: number | null }

type SendingProps = {
  /** The host that messages are sent to. */
  where: string
  use: Use
  agreed: boolean
  onChange: (agreed: boolean) => void
}

/** What is sent to the language model and what it takes, for a person to agree to. */
export function Sending({ where, use: { calls, tokens, tokens_left: left }, agreed, onChange }: SendingProps) {
  return (
    <section aria-label="Language model" className="flex flex-col gap-2 rounded border border-line px-3 py-3">
      <p>
        <strong className="font-medium">What is sent.</strong> The texts of these messages go to {where}. Authors, links
        and addresses are not sent, nor are messages that address a model.
      </p>
      <p>
        <strong className="font-medium">What it takes.</strong> About {plural(calls, 'call')} and{' '}
        {plural(tokens, 'token')}.{' '}
        {left === null
          ? ''
          : `Today’s budget has ${count(left)} left for evaluation. If they are used up, it can be resumed tomorrow (UTC).`}
      </p>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={agreed}
          onChange={({ target }) => onChange(target.checked)}
        />
        Send these messages to {where}
      </label>
    </section>
  )
}
