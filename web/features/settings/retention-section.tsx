import { getRetention, type Retention, setRetention } from '@groundswell/contract/feedback/retention.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { SettingNotLoaded } from '../../ui/setting-not-loaded.tsx'
import { SettingCard, SettingRow } from '../../ui/setting-row.tsx'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { ErasePerson } from './erase-person.tsx'
import { FOREVER, keptFor, RETENTION_DAYS } from './retention-words.ts'

const RETENTION = ['retention']
const counts = new Intl.NumberFormat()
const SOURCES_SHOWN = 5

/** How long feedback is kept, for all sources and for each, and erasing a person's messages. */
export function RetentionSection() {
  const kept = useQuery({ queryKey: RETENTION, queryFn: () => call(getRetention, {}), retry: false })
  return (
    <Section
      title="Stored feedback"
      lead="How long messages are kept. Older ones are deleted in the background, and insights shrink with them."
    >
      {kept.data ? (
        <Choices retention={kept.data} />
      ) : (
        <SettingNotLoaded
          query={kept}
          loading="Stored feedback is loading"
          failed="Stored feedback could not be loaded"
          rows={2}
        />
      )}
    </Section>
  )
}

type Change = { days: number | null; sources: { id: string; days: number | null }[] }

function Choices({ retention }: { retention: Retention }) {
  const client = useQueryClient()
  const [all, setAll] = useState(false)
  const [asked, setAsked] = useState<{ change: Change; days: number } | null>(null)
  const save = useMutation({
    mutationFn: (body: Change) => call(setRetention, { body }),
    onSuccess(saved) {
      client.setQueryData(RETENTION, saved)
      setAsked(null)
      toast({ title: 'Settings saved' })
    },
    onError: (error) => toast({ title: 'Not saved', description: error.message, tone: 'destructive' }),
  })
  const shown = all ? retention.sources : firstSources(retention.sources)
  const hidden = retention.sources.length - shown.length
  /** A shorter period deletes messages permanently: asks for confirmation. */
  const choose = (change: Change, days: number | null, before: number | null) => {
    if (days === null || (before !== null && days >= before)) save.mutate(change)
    else setAsked({ change, days })
  }
  return (
    <SettingCard>
      <SettingRow
        title="Keep messages"
        actions={
          <DaysSelect
            label="How long messages are kept"
            days={retention.days}
            none={FOREVER}
            busy={save.isPending}
            onChange={(days) => choose({ days, sources: [] }, days, retention.days)}
          />
        }
      >
        Counted from the date of each message.
      </SettingRow>
      {shown.map(({ id, label, name, messages, days }) => (
        <SettingRow
          key={id}
          title={name ? `${label} · ${name}` : label}
          actions={
            <DaysSelect
              label={`How long messages of ${name || label} are kept`}
              days={days}
              none="As above"
              busy={save.isPending}
              onChange={(chosen) =>
                choose(
                  { days: retention.days, sources: [{ id, days: chosen }] },
                  chosen ?? retention.days,
                  days ?? retention.days,
                )
              }
            />
          }
        >
          {counts.format(messages)} {messages === 1 ? 'message' : 'messages'}
        </SettingRow>
      ))}
      {hidden > 0 || all ? (
        <SettingRow
          title={all ? 'All sources' : `${counts.format(hidden)} more ${hidden === 1 ? 'source' : 'sources'}`}
          actions={<Button onClick={() => setAll(!all)}>{all ? 'Show fewer' : 'Show all'}</Button>}
        >
          You can set a different time for each.
        </SettingRow>
      ) : null}
      <ErasePerson />
      {asked ? (
        <Dialog
          open
          onOpenChange={(open) => {
            if (!open) setAsked(null)
          }}
          title={`Delete messages older than ${keptFor(asked.days)}?`}
        >
          <p>
            Deleting begins within an hour, and the insights they are in shrink or disappear. This cannot be undone.
          </p>
          <div className="mt-4 flex justify-end gap-2">
            <Button onClick={() => setAsked(null)}>Keep</Button>
            <Button look="danger" busy={save.isPending} onClick={() => save.mutate(asked.change)}>
              Delete older messages
            </Button>
          </div>
        </Dialog>
      ) : null}
    </SettingCard>
  )
}

/** Sources with their own period first, then others as long as there is room: a workspace may have hundreds of files. */
function firstSources(sources: Retention['sources']): Retention['sources'] {
  const own = sources.filter(({ days }) => days !== null)
  const others = sources.filter(({ days }) => days === null)
  return [...own, ...others.slice(0, Math.max(0, SOURCES_SHOWN - own.length))]
}

type DaysSelectProps = {
  label: string
  days: number | null
  none: string
  busy: boolean
  onChange: (days: number | null) => void
}

function DaysSelect({ label, days, none, busy, onChange }: DaysSelectProps) {
  const choices = days === null || RETENTION_DAYS.includes(days) ? RETENTION_DAYS : [...RETENTION_DAYS, days]
  return (
    <Select
      aria-label={label}
      className="w-36"
      disabled={busy}
      value={days ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
    >
      <option value="">{none}</option>
      {choices
        .toSorted((one, other) => one - other)
        .map((choice) => (
          <option key={choice} value={choice}>
            {keptFor(choice)}
          </option>
        ))}
    </Select>
  )
}
