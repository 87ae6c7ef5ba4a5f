import type { ConnectionView, SetAside } from '@groundswell/contract/connections.ts'
import { RefreshCw } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { useStartSync } from './connection-queries.ts'
import { progressWords, unreadWords, waitingWords } from './sync-words.ts'
import type { ConnectorEntry } from './tiles.ts'

type SourceDetailsProps = { manifest: ConnectorEntry['manifest']; connection: ConnectionView }

/** What a source has read, and what of it is missing. */
export function SourceDetails({ manifest, connection }: SourceDetailsProps) {
  const sync = useStartSync(manifest.id)
  const { progress, incomplete, note, waiting_until: waitingUntil } = connection
  const syncing = connection.status === 'syncing'
  return (
    <>
      <section>
        <h3 className="font-semibold">Sync</h3>
        {progress ? (
          <p className="mt-1 text-muted tabular-nums">
            {progressWords(progress)}
            {syncing ? ' so far' : ' by the last sync'}
          </p>
        ) : null}
        {syncing && waitingUntil ? <p className="mt-1 text-muted">{waitingWords(waitingUntil)}</p> : null}
        {incomplete ? <p className="mt-2 rounded bg-warn-soft px-3 py-2 text-warn">Incomplete: {incomplete}</p> : null}
        <UnreadItems aside={connection.set_aside} />
        {note ? <p className="mt-2 text-muted">{note}</p> : null}
        {manifest.syncs ? (
          <Button
            className="mt-2"
            busy={sync.isPending}
            disabled={syncing || connection.ready === false}
            onClick={() => sync.mutate()}
          >
            <RefreshCw size={14} aria-hidden />
            Sync now
          </Button>
        ) : null}
      </section>
    </>
  )
}

/** What could not be read, each with its reason and the way to it at the provider. */
function UnreadItems({ aside }: { aside: SetAside | null | undefined }) {
  const words = unreadWords(aside)
  if (!aside || words === null) return null
  return (
    <div className="mt-2 rounded bg-warn-soft px-3 py-2">
      <p className="text-warn">{words}. What could not be read is tried again, less often each time.</p>
      <ul className="mt-2 flex max-h-48 flex-col gap-1 overflow-y-auto text-small">
        {aside.items.map(({ noun, label, link, reason }, index) => (
          <li key={`${label} ${link ?? ''} ${String(index)}`} className="break-words">
            <OutsideLink address={link} className="underline" otherwise={`${noun} ${label}`}>
              {noun} {label}
              <span className="sr-only"> (opens in a new tab)</span>
            </OutsideLink>
            <span className="text-muted">: {reason}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
