import type { ConnectionView } from '@groundswell/contract/connections.ts'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import type { ConnectorEntry } from '../tiles.ts'
import { chosenWords } from './chosen-words.ts'

const ChoicesForm = lazyPart(async () => (await import('./choices-form.tsx')).ChoicesForm)

type ChoicesSectionProps = { manifest: ConnectorEntry['manifest']; connection: ConnectionView }

/** What is chosen for a connection. The form is open while something required is missing, and requested otherwise. */
export function ChoicesSection({ manifest, connection }: ChoicesSectionProps) {
  const [opened, setOpened] = useState(connection.ready === false)
  const chosen = connection.chosen ?? []
  const source = manifest.side === 'source'
  return (
    <section>
      <h3 className="font-semibold">{source ? 'What to read' : 'Where insights go'}</h3>
      {connection.ready === false ? (
        <p className="mt-1 text-muted">
          {source ? 'Nothing is read until you choose.' : 'Nothing is sent until you choose.'}
        </p>
      ) : null}
      {opened ? (
        <ChoicesForm
          tile={manifest.id}
          label={manifest.label}
          onClose={connection.ready === false ? undefined : () => setOpened(false)}
        />
      ) : (
        <>
          {chosen.length > 0 ? (
            <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
              {chosen.map((one) => (
                <div key={one.label} className="col-span-2 grid grid-cols-subgrid">
                  <dt className="text-muted">{one.label}</dt>
                  <dd className="min-w-0 break-words">{chosenWords(one)}</dd>
                </div>
              ))}
            </dl>
          ) : null}
          <Button className="mt-2" onClick={() => setOpened(true)}>
            {chosen.length > 0 ? 'Change' : 'Choose'}
          </Button>
        </>
      )}
    </section>
  )
}
