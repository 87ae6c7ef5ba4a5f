import { getTimeZone, setTimeZone } from '@groundswell/contract/values/time-zone.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Select } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { SettingNotLoaded } from '../../ui/setting-not-loaded.tsx'
import { SettingCard, SettingRow } from '../../ui/setting-row.tsx'
import { timeZones, zoneText } from '../../ui/text/time-zones.ts'
import { toast } from '../../ui/toast-store.ts'
import { refreshUserData } from '../accounts/index.ts'
import { call } from '../client/index.ts'

const TIME_ZONE = ['time-zone']

/** Whose days reports count by; only owners choose. */
export function TimeZoneSection({ mayChoose }: { mayChoose: boolean }) {
  const client = useQueryClient()
  const stored = useQuery({ queryKey: TIME_ZONE, queryFn: () => call(getTimeZone, {}), retry: false })
  const save = useMutation({
    mutationFn: (time_zone: string) => call(setTimeZone, { body: { time_zone } }),
    onSuccess(saved) {
      client.setQueryData(TIME_ZONE, saved)
      void refreshUserData()
      toast({ title: 'Settings saved' })
    },
    onError: (error) => toast({ title: 'Not saved', description: error.message, tone: 'destructive' }),
  })
  const zone = stored.data?.time_zone
  return (
    <Section title="Days" lead="When a day begins and ends in reports.">
      {zone === undefined ? (
        <SettingNotLoaded
          query={stored}
          loading="The time zone is loading"
          failed="The time zone could not be loaded"
          rows={1}
        />
      ) : (
        <SettingCard>
          <SettingRow
            title="Time zone of the workspace"
            actions={
              <Select
                aria-label="Time zone of the workspace"
                className="w-72"
                disabled={!mayChoose || save.isPending}
                value={zone}
                onChange={({ target }) => save.mutate(target.value)}
              >
                {timeZones(zone).map((name) => (
                  <option key={name} value={name}>
                    {zoneText(name)}
                  </option>
                ))}
              </Select>
            }
          >
            Dates of messages stay as they are. Digests have a time zone of their own.
          </SettingRow>
        </SettingCard>
      )}
    </Section>
  )
}
