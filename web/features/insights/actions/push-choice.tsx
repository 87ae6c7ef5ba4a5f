import { listConnectors } from '@groundswell/contract/connections.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { CallError, call } from '../../client/index.ts'
import { inWords, type Push } from './insight-actions.ts'

type PushChoiceProps = {
  insight: Insight
  onPush: (push: Push) => void
  onClose: () => void
}

/** Pushes immediately where there is nothing to choose; with several destinations connected it asks for a choice. */
export function PushChoice({ insight, onPush, onClose }: PushChoiceProps) {
  const { data: destinations, error } = useQuery({
    queryKey: ['connectors', 'destinations'],
    // Always as they are now: by an older list a push would go to a destination that nobody chose.
    gcTime: 0,
    queryFn: async () => {
      try {
        const { connectors } = await call(listConnectors, {})
        return connectors
          .filter(
            ({ manifest, connection }) =>
              manifest.side === 'destination' && connection?.status === 'connected' && connection.ready !== false,
          )
          .map(({ manifest }) => ({ id: manifest.id, label: manifest.label }))
      } catch (failure) {
        if (failure instanceof CallError && failure.status === 404) return []
        throw failure
      }
    },
  })
  const several = destinations !== undefined && destinations.length > 1
  const started = useRef(false)
  useEffect(() => {
    if (destinations === undefined || several || started.current) return
    started.current = true
    onPush({ insight })
    onClose()
  }, [destinations, several, insight, onPush, onClose])
  useEffect(() => {
    if (error === null) return
    toast({ title: 'Not pushed', description: inWords(error), tone: 'destructive' })
    onClose()
  }, [error, onClose])
  return several ? (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Push to" description={insight.issue_name}>
      <Destinations
        destinations={destinations}
        onClose={onClose}
        onPush={(chosen) => {
          onPush({ insight, destinations: chosen })
          onClose()
        }}
      />
    </Dialog>
  ) : null
}

type DestinationsProps = {
  destinations: readonly { id: string; label: string }[]
  onPush: (chosen: readonly string[]) => void
  onClose: () => void
}

function Destinations({ destinations, onPush, onClose }: DestinationsProps) {
  const id = useId()
  const [left, setLeft] = useState<readonly string[]>([])
  const chosen = destinations.map((one) => one.id).filter((one) => !left.includes(one))
  return (
    <>
      <ul className="-mx-2">
        {destinations.map((one) => (
          <li key={one.id}>
            <label
              htmlFor={`${id}-${one.id}`}
              className="flex h-9 items-center gap-2.5 rounded-small px-2 hover:bg-hover"
            >
              <input
                id={`${id}-${one.id}`}
                type="checkbox"
                checked={chosen.includes(one.id)}
                onChange={(event) =>
                  setLeft(event.target.checked ? left.filter((other) => other !== one.id) : [...left, one.id])
                }
                className="size-3.5 accent-(--accent)"
              />
              {one.label}
            </label>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={chosen.length === 0} onClick={() => onPush(chosen)}>
          Push
        </Button>
      </div>
    </>
  )
}
