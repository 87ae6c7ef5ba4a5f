import type { LastTest } from '@groundswell/contract/connections.ts'
import { Ellipsis, Settings2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx'
import { Progress } from '../../ui/progress.tsx'
import { type DotColour, StatusDot } from '../../ui/status-dot.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { useMayEdit } from '../accounts/index.ts'
import { remoteCountsText, remoteStateText } from './remote-state.ts'
import { errorHint, progressWords, rateWords, waitingWords } from './sync-words.ts'
import { TileLogo } from './tile-logo.tsx'
import type { TileState } from './tile-state.ts'
import type { Tile } from './tiles.ts'
import { useRate } from './use-rate.ts'

const looks: Record<TileState['status'], { colour: DotColour; label: string }> = {
  na: { colour: 'grey', label: 'Not Connected' },
  syncing: { colour: 'orange', label: 'Syncing' },
  connected: { colour: 'green', label: 'Connected' },
}

type TileActions = {
  onClick: () => void
  onTest: () => void
  onDisconnect: () => void
  onCancel: () => void
  onDetails: (() => void) | undefined
  /** Set for destinations whose pushes the server can preview. */
  onPreview: (() => void) | undefined
  /** Set for connectors that sync. */
  onSync: (() => void) | undefined
  /** Set where an app at the provider can be set up first. */
  onSetUp: (() => void) | undefined
}

/** `pending`: it is not known yet which tiles are coming soon, or connected. */
type TileCardProps = { tile: Tile; state: TileState; pending: boolean; busy: boolean; actions: TileActions }

/** One tile: logo, name, status, and what it does or is connected to. One that is coming soon is not a button, nor is any for viewers. */
export function TileCard({ tile, state, pending, busy, actions }: TileCardProps) {
  const { name } = tile
  const mayEdit = useMayEdit()
  const look = looks[state.status]
  // The user data names the other connections.
  const isUnknown = pending && state.status === 'na' && !tile.spec?.connectedTo
  const body = (
    <>
      <TileLogo tile={tile} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2 pr-8">
          <span className="truncate text-lead font-semibold">{name}</span>
          {state.comingSoon && !pending ? <Badge>Coming soon</Badge> : null}
        </span>
        <span className="mt-0.5 line-clamp-2 break-words text-muted">{state.infoText}</span>
        <span className="mt-2 flex items-center gap-3">
          <StatusDot colour={look.colour} label={isUnknown ? 'Checking…' : look.label} />
          {state.paused ? <Badge tone="warn">Paused</Badge> : null}
        </span>
        {state.needsChoices ? (
          <span className="mt-1 block text-small text-warn">
            {tile.side === 'source' ? 'Nothing is read yet.' : 'Nothing is sent yet.'}
          </span>
        ) : null}
        {state.status === 'syncing' ? <SyncProgress name={name} progress={state.progress} /> : null}
        {state.status === 'syncing' && state.waitingUntil ? (
          <span className="mt-1 block text-small text-muted">{waitingWords(state.waitingUntil)}</span>
        ) : null}
        {state.incomplete ? (
          <span className="mt-2 block text-small break-words text-warn">Incomplete: {state.incomplete}</span>
        ) : null}
        {state.unread ? <span className="mt-2 block text-small break-words text-warn">{state.unread}</span> : null}
        {state.read ? (
          <span className="mt-2 block text-small break-words text-muted tabular-nums">{state.read}</span>
        ) : null}
        {state.note && state.status !== 'na' ? (
          <span className="mt-2 block text-small break-words text-muted">{state.note}</span>
        ) : null}
        {state.items ? (
          <span className="mt-2 block text-small break-words text-muted">
            {remoteCountsText(state.items)}. Latest: {state.items.latest.label} ({remoteStateText(state.items.latest)})
          </span>
        ) : null}
        {state.lastTest && state.status !== 'na' ? <TestResult test={state.lastTest} /> : null}
        {state.error ? (
          <span className="mt-2 block text-small break-words">
            <span className="text-bad">{state.error}</span>{' '}
            <span className="text-muted">{errorHint(state.status)}</span>
          </span>
        ) : null}
        {state.needsChoices ? <span className="mt-3 block h-8" /> : null}
      </span>
    </>
  )
  const box = 'flex w-full items-start gap-3 rounded-large border border-line p-4 text-left'
  return (
    <li className="relative flex" data-tile={tile.id} data-status={state.status}>
      {state.comingSoon || !mayEdit ? (
        <div className={`${box} ${state.comingSoon ? 'bg-canvas' : 'bg-surface'}`}>{body}</div>
      ) : (
        <button type="button" onClick={actions.onClick} className={`${box} bg-surface hover:border-line-strong`}>
          {body}
        </button>
      )}
      {state.needsChoices && actions.onDetails ? (
        // Beside the tile's own button, in the space that its text leaves: a button cannot be in another one.
        <Button look="primary" data-edits className="absolute bottom-4 left-[69px]" onClick={actions.onDetails}>
          {tile.side === 'source' ? 'Choose what to read' : 'Choose where insights go'}
        </Button>
      ) : null}
      {!state.comingSoon && state.status !== 'na' ? (
        <div className="absolute top-3 right-2">
          <TileMenu name={name} status={state.status} busy={busy} actions={actions} />
        </div>
      ) : null}
      {!state.comingSoon && state.status === 'na' && actions.onSetUp ? (
        <div className="absolute top-3 right-2">
          <IconButton label={`Set up ${name}`} data-edits onClick={actions.onSetUp}>
            <Settings2 size={16} aria-hidden />
          </IconButton>
        </div>
      ) : null}
    </li>
  )
}

type TileMenuProps = { name: string; status: TileState['status']; busy: boolean; actions: TileActions }

function TileMenu({ name, status, busy, actions }: TileMenuProps) {
  const entries: MenuEntry[] = [
    ...(actions.onDetails ? [{ label: 'Details', onSelect: actions.onDetails }] : []),
    ...(status === 'syncing'
      ? [{ label: 'Cancel', onSelect: actions.onCancel }]
      : [
          ...(actions.onSync ? [{ label: 'Sync now', onSelect: actions.onSync }] : []),
          ...(actions.onPreview ? [{ label: 'Preview', onSelect: actions.onPreview }] : []),
          { label: 'Test', onSelect: actions.onTest },
          { label: 'Disconnect', danger: true, onSelect: actions.onDisconnect },
        ]),
  ]
  return (
    <Menu
      entries={entries}
      trigger={
        <IconButton label={`Actions for ${name}`} disabled={busy} data-edits>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}

/** The result of the last Test, and its time. */
function TestResult({ test }: { test: LastTest }) {
  return (
    <span className="mt-2 block text-small break-words" data-test={test.ok ? 'good' : 'bad'}>
      <span className={test.ok ? 'text-good' : 'text-bad'}>
        {test.ok ? 'Test succeeded' : 'Test failed'}
        {test.status === null ? '' : ` (${test.status})`}
      </span>{' '}
      <span className="text-muted">
        {formatMoment(test.at)}
        {test.ok ? '' : `. ${test.message}`}
      </span>
    </span>
  )
}

function SyncProgress({ name, progress }: { name: string; progress: TileState['progress'] }): ReactNode {
  const rate = useRate(progress?.read ?? 0)
  const measured = progress?.of ?? progress
  return (
    <span className="mt-2 block">
      <Progress label={`Sync of ${name}`} value={measured?.read ?? 0} total={measured?.total ?? null} />
      {progress ? (
        <span className="mt-1 block text-small text-muted tabular-nums">
          {progressWords(progress)}
          {rate === null ? null : ` · ${rateWords(rate, progress)}`}
        </span>
      ) : null}
    </span>
  )
}
