import type { ConnectionView } from '@groundswell/contract/connections.ts'
import type { ChoiceView } from '@groundswell/contract/sources.ts'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useChoices, useStartSync } from './connection-queries.ts'
import { waitingWords } from './sync-words.ts'
import type { ConnectorEntry } from './tiles.ts'

type SourceDetailsProps = { manifest: ConnectorEntry['manifest']; connection: ConnectionView }

/** What a source has read, what of it is missing, and what it is to read. */
export function SourceDetails({ manifest, connection }: SourceDetailsProps) {
  const sync = useStartSync(manifest.id)
  const { progress, incomplete, note, waiting_until: waitingUntil } = connection
  const syncing = connection.status === 'syncing'
  const counts = new Intl.NumberFormat()
  return (
    <>
      <section>
        <h3 className="font-semibold">Sync</h3>
        {progress ? (
          <p className="mt-1 text-muted tabular-nums">
            {counts.format(progress.read)}
            {progress.total === null ? '' : ` of ${counts.format(progress.total)}`} read
            {syncing ? ' so far' : ' by the last sync'}
          </p>
        ) : null}
        {syncing && waitingUntil ? <p className="mt-1 text-muted">{waitingWords(waitingUntil)}</p> : null}
        {incomplete ? <p className="mt-2 rounded bg-warn-soft px-3 py-2 text-warn">Incomplete: {incomplete}</p> : null}
        {note ? <p className="mt-2 text-muted">{note}</p> : null}
        {manifest.syncs ? (
          <Button className="mt-2" busy={sync.isPending} disabled={syncing} onClick={() => sync.mutate()}>
            <RefreshCw size={14} aria-hidden />
            Sync now
          </Button>
        ) : null}
      </section>
      {manifest.has_choices ? <Choices tile={manifest.id} /> : null}
    </>
  )
}

function Choices({ tile }: { tile: string }) {
  const { choices, save } = useChoices(tile)
  return (
    <section>
      <h3 className="font-semibold">What is read</h3>
      {choices.isError ? (
        <p role="alert" className="mt-1 text-bad">
          {choices.error.message}
        </p>
      ) : null}
      {choices.data ? (
        choices.data.map((choice) => (
          <ChoiceForm
            key={choice.field}
            choice={choice}
            busy={save.isPending}
            onSave={(values) => save.mutate({ [choice.field]: values })}
          />
        ))
      ) : (
        <Button className="mt-2" busy={choices.isFetching} onClick={() => void choices.refetch()}>
          Choose
        </Button>
      )}
    </section>
  )
}

type ChoiceFormProps = { choice: ChoiceView; busy: boolean; onSave: (values: string[]) => void }

function ChoiceForm({ choice, busy, onSave }: ChoiceFormProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(choice.chosen))
  function flip(value: string, on: boolean) {
    const next = new Set(chosen)
    if (on) next.add(value)
    else next.delete(value)
    setChosen(next)
  }
  return (
    <fieldset className="mt-2">
      <legend className="text-small font-medium text-muted">{choice.label}</legend>
      <p className="text-small text-muted">{choice.help}</p>
      <div className="mt-2 max-h-72 overflow-y-auto rounded border border-line px-3 py-2">
        {choice.options.map(({ value, label, hint }) => (
          <label key={value} className="flex items-center gap-2 py-1">
            <input
              type="checkbox"
              checked={chosen.has(value)}
              onChange={(event) => flip(value, event.currentTarget.checked)}
              className="size-4 accent-accent"
            />
            <span className="min-w-0 flex-1 truncate">{label}</span>
            {hint ? <span className="text-small text-muted">{hint}</span> : null}
          </label>
        ))}
        {choice.options.length === 0 ? <p className="text-muted">Nothing to choose from yet.</p> : null}
      </div>
      <div className="mt-2 flex gap-2">
        <Button look="primary" busy={busy} onClick={() => onSave([...chosen])}>
          Save
        </Button>
        <Button onClick={() => setChosen(new Set(choice.options.map(({ value }) => value)))}>All</Button>
        <Button onClick={() => setChosen(new Set())}>None</Button>
      </div>
    </fieldset>
  )
}
