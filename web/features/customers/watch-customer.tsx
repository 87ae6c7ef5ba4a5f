import { type DigestChoice, getDigest, MAX_WATCHED, setDigest } from '@groundswell/contract/digests.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'

const DIGEST = ['digest']

/** Turns mails about new insights from a customer on and off; shows nothing if no mail can be sent. */
export function WatchCustomer({ id, name }: { id: string; name: string }) {
  const client = useQueryClient()
  const { data } = useQuery({ queryKey: DIGEST, queryFn: () => call(getDigest, {}), retry: false })
  const save = useMutation({
    mutationFn: (body: DigestChoice) => call(setDigest, { body }),
    onSuccess: (saved) => client.setQueryData(DIGEST, saved),
    onError: (error) => toast({ title: 'Not saved', description: error.message, tone: 'destructive' }),
  })
  if (!data) return null
  const choice = data.choice ?? NOTHING
  const watched = choice.alerts.customers ?? []
  const isWatched = watched.includes(id)
  if (!isWatched && (data.ready !== 'yes' || watched.length >= MAX_WATCHED)) return null
  const toggle = async () => {
    const customers = isWatched ? watched.filter((one) => one !== id) : [...watched, id]
    await save.mutateAsync({ ...choice, alerts: { ...choice.alerts, customers } }).then(
      () =>
        toast(
          isWatched
            ? { title: `No longer watching ${name}` }
            : { title: `Watching ${name}`, description: 'You get a mail when this customer mentions a new insight.' },
        ),
      () => undefined,
    )
  }
  return (
    <Button aria-pressed={isWatched} busy={save.isPending} onClick={() => void toggle()}>
      {isWatched ? <BellOff size={14} aria-hidden /> : <Bell size={14} aria-hidden />}
      {isWatched ? 'Stop watching' : 'Watch'}
    </Button>
  )
}

const NOTHING: DigestChoice = {
  frequency: 'off',
  weekday: 1,
  hour: 9,
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  alerts: { spike: false, regression: false, themes: [], customers: [] },
  quiet: null,
}
