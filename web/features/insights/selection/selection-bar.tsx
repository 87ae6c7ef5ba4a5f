import type { Insight } from '@groundswell/contract/insights.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronUp, Merge, Send, Tag, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { lazyDialog, lazyExtra } from '../../../ui/loading/lazy-part.tsx'
import { Menu, type MenuEntry } from '../../../ui/overlays/menu.tsx'
import { useHasExtras } from '../../operations/index.ts'
import { useTickSlot } from '../table/tick-slot.ts'
import { setTeam } from '../team-status/team-actions.ts'
import { TEAM_STATUSES, teamLabel } from '../team-status/team-words.ts'
import { RowTick } from './row-tick.tsx'
import * as actions from './selection-actions.ts'
import { clearSelection, MAX_SELECTED, useSelection } from './selection-store.ts'
import { useSelectionKeys } from './use-selection-keys.ts'

const AssignAll = lazyExtra(async () => (await import('../assignment/assign-all.tsx')).AssignAll)
const MergeAllDialog = lazyDialog(async () => (await import('./merge-all-dialog.tsx')).MergeAllDialog)
const TagAllDialog = lazyDialog(async () => (await import('./tag-all-dialog.tsx')).TagAllDialog)
const PushAllDialog = lazyDialog(async () => (await import('./push-all-dialog.tsx')).PushAllDialog)

type SelectionBarProps = {
  /** The insights in the table, in its order. Only these can be selected. */
  rows: readonly Insight[]
}

/** Gives the rows their checkboxes; below them, while some are selected, how many, and what can be done with them. */
export function SelectionBar(props: SelectionBarProps) {
  return useHasExtras() ? <Bar {...props} /> : null
}

function Bar({ rows }: SelectionBarProps) {
  const client = useQueryClient()
  const numbers = useSelection((store) => store.numbers)
  const [asked, setAsked] = useState<'tag' | 'merge' | 'push' | null>(null)
  const [busy, setBusy] = useState(false)
  useSelectionKeys()
  useEffect(() => {
    useTickSlot.setState({ Tick: RowTick })
    return () => {
      useTickSlot.setState({ Tick: null })
      clearSelection()
    }
  }, [])
  const selected = new Set(numbers)
  const chosen = rows.filter((one) => selected.has(one.issue_number))
  if (chosen.length === 0) return null
  const carryOut = async (work: Promise<void>) => {
    setAsked(null)
    setBusy(true)
    await work
    setBusy(false)
    clearSelection()
  }
  const choices: MenuEntry[] = [...TEAM_STATUSES, null].map((value, place) => ({
    label: value === null ? 'No team status' : teamLabel(value),
    shortcut: String(value === null ? 0 : place + 1),
    onSelect: () => void carryOut(setTeam(client, chosen, value)),
  }))
  const pushable = chosen.filter((one) => one.status === 'created')
  return (
    <section
      aria-label="Selected insights"
      data-keeps-panel
      data-edits
      className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-raised px-4 py-2 md:px-6"
    >
      <p role="status" className="tabular-nums">
        {chosen.length} selected{chosen.length < MAX_SELECTED ? '' : ' (the maximum)'}
      </p>
      <button
        type="button"
        disabled={busy}
        onClick={clearSelection}
        className="mr-2 h-6 rounded-small px-1 text-small text-accent hover:underline"
      >
        None
      </button>
      <Menu
        align="start"
        side="top"
        entries={choices}
        trigger={
          <Button disabled={busy} data-keeps-panel>
            Team status
            <ChevronUp size={14} aria-hidden />
          </Button>
        }
      />
      <AssignAll insights={chosen} disabled={busy} onAssign={(work) => void carryOut(work)} />
      <Button disabled={busy} onClick={() => setAsked('tag')}>
        <Tag size={14} aria-hidden />
        Tag…
      </Button>
      <Button disabled={busy || chosen.length < 2} onClick={() => setAsked('merge')}>
        <Merge size={14} aria-hidden />
        Merge…
      </Button>
      <Button disabled={busy || pushable.length === 0} onClick={() => setAsked('push')}>
        <Send size={14} aria-hidden />
        Push…
      </Button>
      <Button disabled={busy} onClick={() => void carryOut(actions.deleteAll(client, chosen))}>
        <Trash2 size={14} aria-hidden />
        Delete
      </Button>
      {asked === 'merge' ? (
        <MergeAllDialog
          insights={chosen}
          onClose={() => setAsked(null)}
          onMerge={(into) => void carryOut(actions.mergeAll(client, chosen, into))}
        />
      ) : null}
      {asked === 'tag' ? (
        <TagAllDialog
          insights={chosen}
          rows={rows}
          onClose={() => setAsked(null)}
          onTag={(change) => carryOut(actions.tagAll(client, chosen, change))}
        />
      ) : null}
      {asked === 'push' ? (
        <PushAllDialog
          insights={pushable}
          of={chosen.length}
          onClose={() => setAsked(null)}
          onPush={() => void carryOut(actions.pushAll(client, pushable))}
        />
      ) : null}
    </section>
  )
}
