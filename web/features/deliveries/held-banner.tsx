import type { HeldAnswer, HeldOffer } from '@groundswell/contract/deliveries.ts'
import { Button } from '../../ui/button.tsx'
import { useMayEdit } from '../accounts/index.ts'
import { useConnectorName } from '../connections/index.ts'
import { useAnswerHeld, useHeld } from './held-queries.ts'

/** The number in "10 largest". */
const MAX_SIZE = 10

/** Asks what to do with insights that already qualified and are held; nothing while there are none, or for viewers. */
export function HeldBanner({ className = '' }: { className?: string }) {
  const mayEdit = useMayEdit()
  const offers = useHeld().data ?? []
  if (offers.length === 0 || !mayEdit) return null
  return (
    <div className={`flex flex-col gap-2 ${className}`}>
      {offers.map((offer) => (
        <Offer key={offer.destination} offer={offer} />
      ))}
    </div>
  )
}

function Offer({ offer: { destination, count } }: { offer: HeldOffer }) {
  const answer = useAnswerHeld(destination)
  const name = useConnectorName()(destination)
  const one = count === 1
  const choices: { push: HeldAnswer['push']; label: string; long: string }[] = [
    { push: 'none', label: 'None', long: `Push none to ${name}` },
    ...(count > MAX_SIZE
      ? [{ push: 'largest' as const, label: `${MAX_SIZE} largest`, long: `Push the ${MAX_SIZE} largest to ${name}` }]
      : []),
    {
      push: 'all',
      label: one ? 'Push it' : `All ${count}`,
      long: one ? `Push it to ${name}` : `Push all ${count} to ${name}`,
    },
  ]
  return (
    <section
      aria-label={`Held for ${name}`}
      className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded border border-line bg-surface px-4 py-3"
    >
      <p className="min-w-0 flex-1 basis-80">
        <span className="font-medium">
          {one ? '1 insight already qualifies' : `${count} insights already qualify`} for {name}.
        </span>{' '}
        <span className="text-muted">
          {one ? 'It is' : 'They are'} held: nothing has been sent. Insights that qualify from now on are pushed
          automatically. Which of these do you want to push?
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ push, label, long }) => (
          <Button
            key={push}
            look={push === 'none' ? 'primary' : 'secondary'}
            aria-label={long}
            busy={answer.isPending && answer.variables === push}
            disabled={answer.isPending}
            onClick={() => answer.mutate(push)}
          >
            {label}
          </Button>
        ))}
      </div>
    </section>
  )
}
