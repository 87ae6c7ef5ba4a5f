import type { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import type { Category, Insight } from '@groundswell/contract/insights.ts'
import { categoryValue } from '@groundswell/contract/values/category-value.ts'
import { Pencil, RotateCcw, X } from 'lucide-react'
import { useId, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { Input } from '../../../ui/field.tsx'
import { useUserData } from '../../accounts/index.ts'
import { TagValue } from '../tag-value.tsx'
import { useTagChange } from './detail-query.ts'
import { readTagText, valuesInUse } from './tag-text.ts'

/** With many tags only those with a value are shown until someone edits them. */
const MAX_CHIPS = 24

type TagEditorProps = {
  insight: Insight
  insights: readonly Insight[]
  /** Undefined on a server that does not report it: then tags are read-only. */
  detail: InsightDetail | undefined
}

/** The insight's tags; a pencil turns them into fields. Manual values stay, whatever the engine finds later. */
export function TagEditor({ insight, insights, detail }: TagEditorProps) {
  const [editing, setEditing] = useState(false)
  const [all, setAll] = useState(false)
  const wanted = useUserData()?.settings?.categories ?? []
  const set = (insight.categories ?? []).filter((tag) => categoryValue(tag) !== null)
  const canEdit = detail !== undefined && wanted.length > 0
  if (set.length === 0 && !canEdit) return null
  return (
    <section>
      <h3 className="flex h-6 items-center gap-1 font-semibold">
        Tags
        {canEdit ? (
          <IconButton
            data-edits
            label={editing ? 'Done editing tags' : 'Edit tags'}
            aria-pressed={editing}
            className="size-6!"
            onClick={() => setEditing(!editing)}
          >
            {editing ? <X size={14} aria-hidden /> : <Pencil size={12} aria-hidden />}
          </IconButton>
        ) : null}
      </h3>
      {editing && detail ? (
        <ul className="-mx-1 flex max-h-96 flex-col gap-1.5 overflow-y-auto p-1">
          {wanted.map(({ name }) => (
            <TagField
              key={name}
              name={name}
              insight={insight}
              insights={insights}
              said={detail.categories.find((tag) => tag.cat_name === name)}
            />
          ))}
        </ul>
      ) : set.length === 0 ? (
        <p className="mt-1 text-muted">None yet.</p>
      ) : (
        <ul className="mt-1 flex flex-wrap gap-1">
          {(all ? set : set.slice(0, MAX_CHIPS)).map((tag) => (
            <li
              key={tag.cat_name}
              className="inline-flex h-6 max-w-full items-center gap-1.5 rounded-small border border-line px-1.5 text-small"
            >
              <span dir="auto" className="truncate text-muted">
                {tag.cat_name}
              </span>
              <TagValue tag={tag} />
            </li>
          ))}
          {set.length > MAX_CHIPS ? (
            <li>
              <button
                type="button"
                onClick={() => setAll(!all)}
                className="h-6 rounded-small px-1.5 text-small text-accent hover:underline"
              >
                {all ? 'Show fewer' : `${set.length - MAX_CHIPS} more`}
              </button>
            </li>
          ) : null}
        </ul>
      )}
    </section>
  )
}

type TagFieldProps = {
  name: string
  insight: Insight
  insights: readonly Insight[]
  said: Category | undefined
}

/** One tag as a field. Enter or leaving it saves; empty means "no value", and the arrow returns it to the engine. */
function TagField({ name, insight, insights, said }: TagFieldProps) {
  const id = useId()
  const change = useTagChange(insight)
  const [offered, setOffered] = useState<readonly string[]>([])
  const tag = insight.categories?.find((one) => one.cat_name === name)
  const shown = tag ? String(tag.option_value ?? '') : ''
  const byHand = said?.set_by === 'person'
  const save = (text: string) => {
    const value = readTagText(text)
    if (String(value ?? '') !== shown) change.mutate({ cat_name: name, option_value: value })
  }
  return (
    <li className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_24px] items-center gap-2">
      <label htmlFor={id} dir="auto" className="truncate text-muted" title={name}>
        {name}
      </label>
      <Input
        id={id}
        key={shown}
        defaultValue={shown}
        maxLength={100}
        list={`${id}-values`}
        placeholder={byHand ? 'No value, set manually' : 'No value'}
        aria-busy={change.isPending || undefined}
        onFocus={() => setOffered(valuesInUse(insights, name))}
        onBlur={(event) => save(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          save(event.currentTarget.value)
        }}
      />
      <datalist id={`${id}-values`}>
        {offered.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      {byHand ? (
        <IconButton
          data-edits
          label={`Set ${name} automatically`}
          title="Set manually. Click to set it automatically again."
          className="size-6!"
          onClick={() => change.mutate({ cat_name: name, automatic: true })}
        >
          <RotateCcw size={14} aria-hidden />
        </IconButton>
      ) : (
        <span />
      )}
    </li>
  )
}
