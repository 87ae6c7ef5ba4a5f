import { type CustomerColumns, MAX_LIST_LENGTH, uploadCustomers } from '@groundswell/contract/customers.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { customersText, shortAmount } from './amount-words.ts'
import { CUSTOMERS } from './customer-queries.ts'

type Preview = ReplyOf<typeof uploadCustomers>

const ROLES: readonly { key: keyof CustomerColumns; label: string }[] = [
  { key: 'domain', label: 'Domain' },
  { key: 'name', label: 'Name' },
  { key: 'plan', label: 'Plan' },
  { key: 'revenue', label: 'Revenue' },
  { key: 'region', label: 'Region' },
]

/** Uploads a list of customers from a file: shows what it would change, and which lines are skipped, before anything is stored. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [text, setText] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const look = useMutation({
    mutationFn: ({ list, columns }: { list: string; columns?: CustomerColumns }) =>
      call(uploadCustomers, { body: { text: list, dry_run: true, ...(columns ? { columns } : {}) } }),
  })
  const store = useMutation({
    mutationFn: ({ list, columns }: { list: string; columns: CustomerColumns }) =>
      call(uploadCustomers, { body: { text: list, columns } }),
    onSuccess: ({ added, known }) => {
      toast({
        title: 'List uploaded',
        description: `${added} added, ${known} updated. Counts are refreshed within a minute.`,
      })
      void client.invalidateQueries({ queryKey: [CUSTOMERS] })
      onClose()
    },
  })
  const preview = look.data
  const problem = store.error ?? look.error
  const choose = async (file: File) => {
    const list = await readText(file)
    setText(list)
    look.mutate({ list })
  }
  const change = (key: keyof CustomerColumns, column: string) => {
    if (text === null || !preview) return
    const { [key]: _, ...others } = preview.mapping
    look.mutate({ list: text, columns: column === '' ? others : { ...others, [key]: column } })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Upload a list of customers"
      description="A CSV file with a column of domains or names, and optionally plan, revenue and region. Existing customers are updated."
    >
      <div className="flex flex-col gap-4">
        {preview && text !== null ? (
          <>
            <div className="grid grid-cols-2 gap-3">
              {ROLES.map(({ key, label }) => (
                <Field key={key} label={label}>
                  {(ids) => (
                    <Select
                      {...ids}
                      className="w-full"
                      value={preview.mapping[key] ?? ''}
                      disabled={look.isPending || store.isPending}
                      onChange={(event) => change(key, event.target.value)}
                    >
                      <option value="">None</option>
                      {preview.columns.map((column) => (
                        <option key={column} value={column}>
                          {column}
                        </option>
                      ))}
                    </Select>
                  )}
                </Field>
              ))}
            </div>
            <Outcome preview={preview} />
          </>
        ) : null}
        {problem ? (
          <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
            {problem.message}
          </p>
        ) : null}
        <div className="flex flex-wrap gap-2">
          {preview && text !== null ? (
            <Button
              look="primary"
              busy={store.isPending}
              disabled={look.isPending || preview.added + preview.known === 0}
              onClick={() => store.mutate({ list: text, columns: preview.mapping })}
            >
              Upload {customersText(preview.added + preview.known)}
            </Button>
          ) : null}
          <Button look={preview ? 'secondary' : 'primary'} busy={look.isPending} onClick={() => input.current?.click()}>
            {preview ? 'Choose another file' : 'Choose a file'}
          </Button>
        </div>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/*"
          className="sr-only"
          aria-label="List of customers"
          tabIndex={-1}
          onChange={(event) => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void choose(file)
          }}
        />
      </div>
    </Dialog>
  )
}

function Outcome({ preview: { added, known, rejected, rejected_count, sample } }: { preview: Preview }) {
  const hidden = rejected_count - rejected.length
  return (
    <div className="flex flex-col gap-3">
      <p role="status">
        {added} new, {known} existing
        {rejected_count > 0 ? `, ${rejected_count} ${rejected_count === 1 ? 'line' : 'lines'} skipped` : ''}
      </p>
      {sample.length > 0 ? (
        <ul className="rounded border border-line px-3 py-1 text-small">
          {sample.map(({ name, domain, plan, revenue, region }, index) => (
            <li key={index} dir="auto" className="truncate py-0.5">
              <span className="font-medium">{name}</span>
              <span className="text-muted">
                {[domain === name ? null : domain, plan, revenue === null ? null : shortAmount(revenue), region]
                  .filter((part) => part !== null)
                  .map((part) => ` · ${part}`)
                  .join('')}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {rejected.length > 0 ? (
        <section
          tabIndex={0}
          aria-label="Skipped lines"
          className="max-h-36 overflow-y-auto rounded bg-warn-soft px-3 py-2 text-small text-warn"
        >
          <ul>
            {rejected.map(({ line, reason }) => (
              <li key={line} className="break-words">
                Line {line}: {reason}
              </li>
            ))}
          </ul>
          {hidden > 0 ? <p>and {hidden} more</p> : null}
        </section>
      ) : null}
    </div>
  )
}

/** The text of a file: UTF-8, or what spreadsheets save on Windows. Cut where it is longer than a list may be. */
async function readText(file: File): Promise<string> {
  const bytes = await file.slice(0, MAX_LIST_LENGTH * 4).arrayBuffer()
  const text = (() => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      return new TextDecoder('windows-1252').decode(bytes)
    }
  })()
  return text
}
