import { type CaseConsent, getCaseConsent, setCaseConsent } from '@groundswell/contract/evaluation/cases.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Section } from '../../ui/page.tsx'
import { SettingNotLoaded } from '../../ui/setting-not-loaded.tsx'
import { SettingCard } from '../../ui/setting-row.tsx'
import { SwitchRow } from '../../ui/switch.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { plural } from '../../ui/text/plural.ts'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'

const CASE_CONSENT = ['case-consent']

/** Whether corrections may become test cases: the choice of an owner. */
export function CaseConsentSection() {
  const client = useQueryClient()
  const found = useQuery({ queryKey: CASE_CONSENT, queryFn: () => call(getCaseConsent, {}), retry: false })
  const save = useMutation({
    mutationFn: (allowed: boolean) => call(setCaseConsent, { body: { allowed } }),
    onSuccess(saved) {
      client.setQueryData(CASE_CONSENT, saved)
      toast({ title: 'Settings saved' })
    },
    onError: (error) => toast({ title: 'Not saved', description: error.message, tone: 'destructive' }),
  })
  return (
    <Section
      title="Corrections as test cases"
      lead="What your team corrected can show whether another engine, prompt or model would do better or worse on your feedback."
    >
      {found.data ? (
        <SettingCard>
          <SwitchRow
            label="Let corrections become test cases"
            help={consentText(found.data)}
            checked={found.data.allowed}
            disabled={save.isPending}
            onChange={(allowed) => save.mutate(allowed)}
          />
        </SettingCard>
      ) : (
        <SettingNotLoaded
          query={found}
          loading="The choice is loading"
          failed="The choice could not be loaded"
          rows={1}
        />
      )}
    </Section>
  )
}

function consentText({ allowed, given_by, given_at, corrections }: CaseConsent): string {
  const what =
    'The operator of this server can then run tests on merges, splits, moves, renames and other corrections, and export them with the mentions they affect. People’s names are removed. No copy is stored: when you turn this off, the cases are gone. Files exported before that remain.'
  const usable = `${plural(corrections, 'correction')} can be used now.`
  const who =
    allowed && given_by !== null && given_at !== null ? ` Allowed by ${given_by}, ${formatMoment(given_at)}.` : ''
  return `${what} ${usable}${who}`
}
