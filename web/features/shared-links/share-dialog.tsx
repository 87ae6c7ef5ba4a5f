import {
  createSharedLink,
  LINK_DAYS,
  listSharedLinks,
  revokeSharedLink,
  type SharedLink,
} from '@groundswell/contract/shared-links.ts'
import type { SavedView } from '@groundswell/contract/views.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Confirm, Dialog } from '../../ui/overlays/dialog.tsx'
import { copyText } from '../../ui/text/copy-text.ts'
import { toast } from '../../ui/toast-store.ts'
import { apiHost, call } from '../client/index.ts'
import { linkInWords } from './link-words.ts'

const LINKS = ['shared-links']

/** The insight or the view to share. */
type Target = { issueNumber: number; view?: never } | { view: SavedView; issueNumber?: never }

type ShareDialogProps = Target & { onClose: () => void }

/** Creates read-only links to an insight or a view, and lists and revokes existing ones. */
export function ShareDialog({ onClose, ...target }: ShareDialogProps) {
  const [asked, setAsked] = useState<SharedLink | null>(null)
  const [address, setAddress] = useState<string | null>(null)
  const client = useQueryClient()
  const reload = () => client.invalidateQueries({ queryKey: LINKS })
  const revoke = useMutation({
    mutationFn: (link: SharedLink) => call(revokeSharedLink, { params: { id: link.id } }),
    onSuccess: () => toast({ title: 'Link revoked', description: 'Its page is no longer available.' }),
    onError: (error) => toast({ title: 'Not revoked', description: error.message, tone: 'destructive' }),
    onSettled: () => {
      setAsked(null)
      return reload()
    },
  })
  if (asked) {
    return (
      <Confirm
        open
        onOpenChange={(open) => open || setAsked(null)}
        title="Revoke this link?"
        question="People who have it can no longer see the page. This cannot be undone."
        action="Revoke"
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate(asked)}
      />
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={target.view ? `Share “${target.view.name}”` : `Share #${target.issueNumber}`}
      description="A read-only page for people without an account. Anyone with the link can see it."
    >
      <div className="flex flex-col gap-5">
        {address === null ? (
          <LinkForm
            target={target}
            onCreated={(made) => {
              setAddress(made)
              void reload()
            }}
          />
        ) : (
          <NewLink address={address} onAnother={() => setAddress(null)} />
        )}
        <Links target={target} onRevoke={setAsked} />
      </div>
    </Dialog>
  )
}

function LinkForm({ target, onCreated }: { target: Target; onCreated: (address: string) => void }) {
  const [days, setDays] = useState<(typeof LINK_DAYS)[number]>(30)
  const [hideNames, setHideNames] = useState(true)
  const [hideQuotes, setHideQuotes] = useState(false)
  const create = useMutation({
    mutationFn: () =>
      call(createSharedLink, {
        body: {
          ...(target.view ? { view_id: target.view.view_id } : { issue_number: target.issueNumber }),
          expires_in_days: days,
          hide_names: hideNames,
          hide_quotes: hideQuotes,
        },
      }),
    onSuccess: ({ path }) => onCreated(`${apiHost() || window.location.origin}${path}`),
  })
  return (
    <Form onSubmit={() => create.mutateAsync()} className="flex flex-col gap-4">
      <Field label="Expires after">
        {(ids) => (
          <Select
            {...ids}
            value={days}
            onChange={({ target }) => setDays(LINK_DAYS.find((one) => String(one) === target.value) ?? 30)}
            data-begins
          >
            {LINK_DAYS.map((count) => (
              <option key={count} value={count}>
                {count} days
              </option>
            ))}
          </Select>
        )}
      </Field>
      {target.view ? null : (
        <fieldset className="flex flex-col gap-2">
          <legend className="pb-1 text-small font-medium text-muted">Leave out</legend>
          <Tick
            label="Names"
            note="Authors, and their names and e-mail addresses in quotes"
            on={hideNames}
            onChange={setHideNames}
          />
          <Tick
            label="Quotes"
            note="And the summary, which consists of customers’ sentences"
            on={hideQuotes}
            onChange={setHideQuotes}
          />
        </fieldset>
      )}
      {create.isError ? (
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
          The link was not created. {create.error.message}
        </p>
      ) : null}
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={create.isPending}>
          Create link
        </Button>
      </div>
    </Form>
  )
}

type TickProps = { label: string; note: string; on: boolean; onChange: (on: boolean) => void }

function Tick({ label, note, on, onChange }: TickProps) {
  return (
    <label className="flex items-start gap-2">
      <input
        type="checkbox"
        className="mt-0.5 size-4 accent-accent"
        checked={on}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {label}
        <span className="block text-small text-muted">{note}</span>
      </span>
    </label>
  )
}

function NewLink({ address, onAnother }: { address: string; onAnother: () => void }) {
  return (
    <div>
      <p className="rounded bg-hover px-4 py-3 font-mono text-small break-all">{address}</p>
      <p className="mt-2 text-small text-muted">It is shown only once.</p>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <Button onClick={onAnother}>Create another</Button>
        <Button look="primary" onClick={() => void copyText(address, 'The link')}>
          <Copy size={14} aria-hidden /> Copy link
        </Button>
      </div>
    </div>
  )
}

function Links({ target, onRevoke }: { target: Target; onRevoke: (link: SharedLink) => void }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: LINKS,
    queryFn: () => call(listSharedLinks, {}),
    retry: false,
  })
  if (error) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-4">
        <p className="text-muted">The links could not be loaded.</p>
        <Button busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (!data) return <div className="skeleton h-10" role="status" aria-label="Links are loading" />
  const links = data.links.filter((one) =>
    target.view ? one.view_id === target.view.view_id : one.issue_number === target.issueNumber,
  )
  if (links.length === 0) return null
  return (
    <section className="border-t border-line pt-4">
      <h3 className="text-small font-medium text-muted">Links to this {target.view ? 'view' : 'insight'}</h3>
      <ul>
        {links.map((link) => (
          <li key={link.id} className="flex flex-wrap items-center justify-between gap-2 pt-3">
            <p className="min-w-48 flex-1">
              {link.expired ? <Badge tone="warn">Expired</Badge> : null} {linkInWords(link)}
            </p>
            <Button aria-label={`Revoke the link that was ${linkInWords(link)}`} onClick={() => onRevoke(link)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
