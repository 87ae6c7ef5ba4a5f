import { type Digest, type DigestChoice, getDigest, setDigest } from '@groundswell/contract/digests.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { Section } from '../../ui/page.tsx'
import { SettingNotLoaded } from '../../ui/setting-not-loaded.tsx'
import { SettingCard, SettingRow } from '../../ui/setting-row.tsx'
import { SwitchRow } from '../../ui/switch.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { timeZones, zoneText } from '../../ui/text/time-zones.ts'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { AlertRows } from './alert-rows.tsx'
import { dueText, KINDS, mailState, notReadyText, previewedKind, wantsAlerts } from './digest-words.ts'
import { FrequencySelect, HourSelect, WeekdaySelect } from './schedule-selects.tsx'

const DigestPreview = lazyDialog(async () => (await import('./digest-preview.tsx')).DigestPreview)

const DIGEST = ['digest']
const MAILS_SHOWN = 3

/** Which mails about the workspace the person gets, and the outcome of the latest. */
export function DigestSection() {
  const digest = useQuery({ queryKey: DIGEST, queryFn: () => call(getDigest, {}), retry: false })
  return (
    <Section title="E-mail" lead="What happened to your insights. Nothing is sent if nothing happened.">
      {digest.data ? (
        <Choices digest={digest.data} />
      ) : (
        <SettingNotLoaded
          query={digest}
          loading="E-mail settings are loading"
          failed="E-mail settings could not be loaded"
          rows={2}
        />
      )}
    </Section>
  )
}

function Choices({ digest }: { digest: Digest }) {
  const client = useQueryClient()
  const [previewing, setPreviewing] = useState<'digest' | 'alerts' | null>(null)
  const save = useMutation({
    mutationFn: (body: DigestChoice) => call(setDigest, { body }),
    onSuccess(saved) {
      client.setQueryData(DIGEST, saved)
      toast({ title: 'Settings saved' })
    },
    onError: (error) => toast({ title: 'Not saved', description: error.message, tone: 'destructive' }),
  })
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const choice: DigestChoice = digest.choice ?? {
    frequency: 'off',
    weekday: 1,
    hour: 9,
    time_zone: zone,
    alerts: { spike: false, regression: false, themes: [] },
    quiet: null,
  }
  const isOn = choice.frequency !== 'off'
  const notReady = notReadyText(digest)
  const busy = save.isPending
  const change = (part: Partial<DigestChoice>) => save.mutate({ ...choice, ...part })
  return (
    <SettingCard>
      {notReady === null ? null : (
        <SettingRow title={<span className="text-warn">No e-mail is sent yet</span>}>{notReady}</SettingRow>
      )}
      <SettingRow
        title="Digest"
        actions={
          <>
            <FrequencySelect
              label="How often"
              off="Off"
              choice={choice}
              disabled={busy || (notReady !== null && !isOn)}
              onChange={change}
            />
            <Button onClick={() => setPreviewing('digest')}>Preview…</Button>
          </>
        }
      >
        New, growing, regressed, shipped and waiting for review. {notReady === null ? dueText(digest) : null}
      </SettingRow>
      {isOn ? (
        <SettingRow
          title="When"
          actions={
            <>
              <WeekdaySelect label="Day" choice={choice} disabled={busy} onChange={change} />
              <HourSelect label="Hour" hour={choice.hour} disabled={busy} onChange={(hour) => change({ hour })} />
            </>
          }
        />
      ) : null}
      <AlertRows
        choice={choice}
        enabled={!busy && (notReady === null || wantsAlerts(choice))}
        onChange={change}
        onPreview={() => setPreviewing('alerts')}
      />
      <SwitchRow
        label="Assignments and mentions"
        help="Somebody assigns an insight to you, or mentions you in a comment."
        checked={digest.about_me}
        disabled={busy || (notReady !== null && !digest.about_me)}
        onChange={(about_me) => change({ about_me })}
      />
      {isOn || wantsAlerts(choice) ? (
        <SettingRow
          title="Time zone"
          actions={
            <Select
              aria-label="Time zone"
              className="w-72"
              disabled={busy}
              value={choice.time_zone}
              onChange={({ target }) => change({ time_zone: target.value })}
            >
              {timeZones(choice.time_zone, zone).map((name) => (
                <option key={name} value={name}>
                  {zoneText(name)}
                </option>
              ))}
            </Select>
          }
        />
      ) : null}
      {digest.mails.slice(0, MAILS_SHOWN).map((mail) => {
        const { label, tone, help } = mailState(mail)
        return (
          <SettingRow
            key={mail.id}
            title={
              <span className="font-normal text-muted">
                {KINDS[mail.kind]}, {formatMoment(mail.at)}
              </span>
            }
            actions={<Badge tone={tone}>{label}</Badge>}
          >
            {help}
          </SettingRow>
        )
      })}
      {previewing ? (
        <DigestPreview
          mail={previewing === 'alerts' ? previewing : previewedKind(choice)}
          onClose={() => setPreviewing(null)}
        />
      ) : null}
    </SettingCard>
  )
}
