import { type SavedView, viewQuery } from '@groundswell/contract/views.ts'
import { useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { Ellipsis, Link2, Lock, Pencil, RefreshCw, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { IconButton } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx'
import { sideLinkClass } from '../../ui/side-link.tsx'
import { useMayEdit } from '../accounts/index.ts'
import { ShareDialog } from '../shared-links/index.ts'
import { addressOf, changeView, removeView, useViews, VIEW } from './views-query.ts'

const RenameViewDialog = lazyDialog(async () => (await import('./save-view-dialog.tsx')).RenameViewDialog)

type ViewListProps = { onNavigate?: (() => void) | undefined }

type Asked = { view: SavedView; what: 'rename' | 'share' | 'delete' }

/** The saved views as entries of the sidebar, each with its menu; nothing while there are none. */
export function ViewList({ onNavigate }: ViewListProps) {
  const { data } = useViews()
  const { pathname, search } = useLocation()
  const client = useQueryClient()
  const mayEdit = useMayEdit()
  const [asked, setAsked] = useState<Asked | null>(null)
  if (!data || data.views.length === 0) return null
  const address = new URLSearchParams(search)
  const onTable = pathname === '/insights'
  const end = () => setAsked(null)
  return (
    <>
      <h2 className="shrink-0 px-2.5 pt-4 pb-1 text-small font-medium text-muted">Views</h2>
      <ul className="-mx-2 flex min-h-0 flex-col gap-0.5 overflow-y-auto px-2">
        {data.views.map((view) => (
          <li key={view.view_id} className="flex items-center">
            <Link
              to={addressOf(view)}
              onClick={onNavigate}
              aria-current={onTable && address.get(VIEW) === view.view_id ? 'page' : undefined}
              title={view.mine ? view.name : `${view.name}, by ${view.made_by}`}
              className={clsx(sideLinkClass, 'min-w-0 flex-1')}
            >
              <span dir="auto" className="truncate">
                {view.name}
              </span>
              {view.shared ? (
                <>
                  <Users size={12} aria-hidden className="shrink-0" />
                  <span className="sr-only">shared with the workspace</span>
                </>
              ) : null}
            </Link>
            {mayEdit ? (
              <Menu
                align="start"
                trigger={
                  <IconButton label={`View ${view.name}`} className="size-7!">
                    <Ellipsis size={14} aria-hidden />
                  </IconButton>
                }
                entries={entriesOf(view, {
                  ask: (what) => setAsked({ view, what }),
                  change: (body, done) => void changeView(client, view, body, done),
                  query: onTable ? viewQuery(address) : null,
                })}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {asked?.what === 'rename' ? <RenameViewDialog view={asked.view} onClose={end} /> : null}
      {asked?.what === 'share' ? <ShareDialog view={asked.view} onClose={end} /> : null}
      {asked?.what === 'delete' ? (
        <Confirm
          open
          onOpenChange={(open) => open || end()}
          title={`Delete “${asked.view.name}”?`}
          question={
            asked.view.shared
              ? 'It disappears from the sidebar of everybody in the workspace. The insights stay.'
              : 'It disappears from your sidebar. The insights stay.'
          }
          action="Delete"
          onConfirm={() => {
            void removeView(client, asked.view)
            end()
          }}
        />
      ) : null}
    </>
  )
}

type ViewActions = {
  ask: (what: Asked['what']) => void
  change: (body: { query?: string; shared?: boolean }, done: string) => void
  /** What the table shows now; null on another screen. */
  query: string | null
}

function entriesOf(view: SavedView, { ask, change, query }: ViewActions): MenuEntry[] {
  const share: MenuEntry = { label: 'Share a link…', Icon: Link2, onSelect: () => ask('share') }
  if (!view.mine) return [share]
  const update: MenuEntry = {
    label: 'Update to what is shown',
    Icon: RefreshCw,
    onSelect: () => change({ query: query ?? '' }, 'View updated'),
  }
  return [
    ...(query !== null && query !== view.query ? [update] : []),
    { label: 'Rename…', Icon: Pencil, leads: true, onSelect: () => ask('rename') },
    view.shared
      ? {
          label: 'Make private',
          Icon: Lock,
          onSelect: () => change({ shared: false }, 'Only you can see the view now'),
        }
      : {
          label: 'Share with the workspace',
          Icon: Users,
          onSelect: () => change({ shared: true }, 'Shared with the workspace'),
        },
    share,
    { kind: 'line' },
    { label: 'Delete…', Icon: Trash2, danger: true, onSelect: () => ask('delete') },
  ]
}
