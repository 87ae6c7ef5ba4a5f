import { type ApiKey, listApiKeys, revokeApiKey } from '@groundswell/contract/api-keys.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlays/dialog.tsx'
import { Section } from '../../../ui/page.tsx'
import { SettingNotLoaded } from '../../../ui/setting-not-loaded.tsx'
import { SettingCard, SettingRow } from '../../../ui/setting-row.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { keyInWords } from './key-words.ts'

const API_KEYS = ['api-keys']

/** The API keys of the workspace: creating one, and revoking each. */
export function ApiKeysSection() {
  const keys = useQuery({ queryKey: API_KEYS, queryFn: () => call(listApiKeys, {}), retry: false })
  return (
    <Section title="API keys" lead="For programs and agents that read or correct your insights, or send feedback.">
      {keys.data ? (
        <Keys keys={keys.data.keys} />
      ) : (
        <SettingNotLoaded query={keys} loading="API keys are loading" failed="API keys could not be loaded" rows={1} />
      )}
    </Section>
  )
}

function Keys({ keys }: { keys: readonly ApiKey[] }) {
  const client = useQueryClient()
  const [creating, setCreating] = useState(false)
  const [asked, setAsked] = useState<ApiKey | null>(null)
  const reload = () => client.invalidateQueries({ queryKey: API_KEYS })
  const revoke = useMutation({
    mutationFn: (key: ApiKey) => call(revokeApiKey, { params: { id: key.id } }),
    onSuccess: (_reply, { name }) => toast({ title: 'Key revoked', description: `${name} can no longer make calls.` }),
    onError: (error) => toast({ title: 'Not revoked', description: error.message, tone: 'destructive' }),
    onSettled: () => {
      setAsked(null)
      return reload()
    },
  })
  return (
    <SettingCard>
      {keys.map((key) => (
        <SettingRow
          key={key.id}
          title={
            <span className="flex flex-wrap items-center gap-2">
              <span dir="auto">{key.name}</span> {key.expired ? <Badge tone="warn">Expired</Badge> : null}
            </span>
          }
          actions={
            <Button aria-label={`Revoke ${key.name}`} onClick={() => setAsked(key)}>
              Revoke
            </Button>
          }
        >
          {keyInWords(key)}
        </SettingRow>
      ))}
      <SettingRow
        title={keys.length === 0 ? 'No keys yet' : 'Another key'}
        actions={<Button onClick={() => setCreating(true)}>Create key…</Button>}
      >
        Use one per program, so that you can revoke each separately.{' '}
        <a href="/api/reference" target="_blank" rel="noreferrer" className="text-accent underline">
          What programs can call
        </a>
      </SettingRow>
      {creating ? <CreateKeyDialog onClose={() => setCreating(false)} onCreated={() => void reload()} /> : null}
      <Confirm
        open={asked !== null}
        onOpenChange={(open) => open || setAsked(null)}
        title={`Revoke ${asked?.name ?? 'the key'}?`}
        question="Programs that use this key are refused at once. This cannot be undone."
        action="Revoke"
        busy={revoke.isPending}
        onConfirm={() => asked && revoke.mutate(asked)}
      />
    </SettingCard>
  )
}
