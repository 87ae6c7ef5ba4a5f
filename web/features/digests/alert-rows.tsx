import type { DigestChoice } from '@groundswell/contract/digests.ts'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { SwitchRow } from '../../ui/switch.tsx'
import { wantsAlerts } from './digest-words.ts'
import { HourSelect } from './schedule-selects.tsx'

const WatchThemes = lazyDialog(async () => (await import('./watch-themes.tsx')).WatchThemes)

const WatchCustomers = lazyDialog(async () => (await import('./watch-customers.tsx')).WatchCustomers)

const NIGHT = { from: 20, until: 8 }

type AlertRowsProps = {
  choice: DigestChoice
  lead?: string
  /** Mails can be sent, or something is on that can be turned off. */
  enabled: boolean
  onChange: (part: Partial<DigestChoice>) => void
  onPreview: () => void
}

/** The immediate alerts for a person, and the hours in which they are held back. */
export function AlertRows({
  choice,
  lead = 'Mailed within minutes, at most once an hour.',
  enabled,
  onChange,
  onPreview,
}: AlertRowsProps) {
  const [choosing, setChoosing] = useState<'themes' | 'customers' | null>(null)
  const { alerts, quiet } = choice
  const change = (part: Partial<DigestChoice['alerts']>) => onChange({ alerts: { ...alerts, ...part } })
  const watched = alerts.themes.length
  const customers = alerts.customers?.length ?? 0
  return (
    <>
      <SettingRow title="Alerts" actions={<Button onClick={onPreview}>Preview alerts…</Button>}>
        {lead}
      </SettingRow>
      <SwitchRow
        label="Spike"
        help="An insight is mentioned three times as often as usual."
        checked={alerts.spike}
        disabled={!enabled}
        onChange={(spike) => change({ spike })}
      />
      <SwitchRow
        label="Regression"
        help="A resolved insight is mentioned again."
        checked={alerts.regression}
        disabled={!enabled}
        onChange={(regression) => change({ regression })}
      />
      <SettingRow
        title="New insight in a theme"
        actions={
          <Button disabled={!enabled} onClick={() => setChoosing('themes')}>
            Choose themes…
          </Button>
        }
      >
        {watched === 0
          ? 'You are not watching any themes.'
          : `You are watching ${watched} ${watched === 1 ? 'theme' : 'themes'}.`}
      </SettingRow>
      <SettingRow
        title="New insight from a customer"
        actions={
          <Button disabled={!enabled} onClick={() => setChoosing('customers')}>
            Choose customers…
          </Button>
        }
      >
        {customers === 0
          ? 'You are not watching any customers.'
          : `You are watching ${customers} ${customers === 1 ? 'customer' : 'customers'}.`}
      </SettingRow>
      {wantsAlerts(choice) ? (
        <SettingRow
          title="Quiet hours"
          actions={
            quiet === null ? (
              <Button onClick={() => onChange({ quiet: NIGHT })}>Set quiet hours</Button>
            ) : (
              <>
                <HourSelect
                  label="Quiet from"
                  hour={quiet.from}
                  onChange={(from) => onChange({ quiet: { ...quiet, from } })}
                />
                <HourSelect
                  label="Quiet until"
                  hour={quiet.until}
                  onChange={(until) => onChange({ quiet: { ...quiet, until } })}
                />
                <Button onClick={() => onChange({ quiet: null })}>None</Button>
              </>
            )
          }
        >
          {quiet === null ? 'None.' : 'Alerts are held back, then sent in one mail.'}
        </SettingRow>
      ) : null}
      {choosing === 'customers' ? (
        <WatchCustomers
          watched={alerts.customers ?? []}
          onClose={() => setChoosing(null)}
          onSave={(ids) => {
            setChoosing(null)
            change({ customers: ids })
          }}
        />
      ) : null}
      {choosing === 'themes' ? (
        <WatchThemes
          watched={alerts.themes}
          onClose={() => setChoosing(null)}
          onSave={(themes) => {
            setChoosing(null)
            change({ themes })
          }}
        />
      ) : null}
    </>
  )
}
