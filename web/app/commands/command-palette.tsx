import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import { Command, defaultFilter } from 'cmdk'
import {
  ArrowLeftRight,
  CircleQuestionMark,
  Keyboard,
  LogOut,
  type LucideIcon,
  Search,
  Settings,
  SunMoon,
} from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useUserData } from '../../features/accounts/index.ts'
import { rankInsights } from '../../features/insights/corrections/rank-insights.ts'
import { useInsights } from '../../features/insights/insight-queries.ts'
import { mentionsText } from '../../features/insights/mention-words.ts'
import { withOpen } from '../../features/insights/open-address.ts'
import { allFeedback } from '../../features/insights/ungrouped/all-feedback-address.ts'
import { useHasExtras } from '../../features/operations/index.ts'
import { useSettingsParts } from '../../features/settings/settings-parts.ts'
import { showFrameWindow } from '../../ui/frame-window.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { ADMIN_MENU_PLACES, MENU_PLACES, MORE_PLACES } from '../places.ts'
import { ADMIN_ENTRIES, ENTRIES } from '../sidebar.tsx'
import { chooseTheme } from '../theme.ts'
import { THEMES } from '../theme-choices.ts'
import { useLogOut } from '../use-log-out.ts'

/** How many insights are offered, the likeliest first. */
const MAX_INSIGHTS = 8

/** `words` find an entry besides its label. */
type Entry = { label: string; Icon: LucideIcon; words?: string[]; run: () => void }

/** A list of screens, insights and actions, found by typing. Choosing one closes it. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  // Not deferred: Enter, pressed directly after a letter, chooses what that letter finds.
  const words = typed.trim()
  const insights = useFoundInsights(words)
  const screens = found(useScreens(), words)
  const actions = [...found(useActions(), words), ...useSearches(words)]
  const choose = (run: () => void) => () => {
    onClose()
    run()
  }
  const list = useRef<HTMLDivElement>(null)
  useActiveDescendant(list)
  const [selected, select] = useSelected([
    ...insights.map(({ insight }) => idOf(insight)),
    ...screens.map((entry) => entryId('Screens', entry)),
    ...actions.map((entry) => entryId('Actions', entry)),
  ])
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Command palette">
      {/* Its keys like Ctrl+K, which closes the palette, are left out. What matches is found here: an insight by its number too. */}
      <Command
        ref={list}
        label="Commands"
        shouldFilter={false}
        loop
        vimBindings={false}
        value={selected}
        onValueChange={select}
      >
        <Command.Input
          data-begins
          value={typed}
          onValueChange={setTyped}
          placeholder="Search screens, insights and actions"
          className="h-9 w-full rounded border border-line-strong bg-surface px-3 placeholder:text-muted"
        />
        <Command.List label="Results" className="mt-3 max-h-[50vh] overflow-y-auto">
          <Command.Empty className="px-2 py-3 text-muted">Nothing found.</Command.Empty>
          {insights.length > 0 ? (
            <Group heading="Insights">
              {insights.map(({ insight, run }) => (
                <Item key={insight.issue_number} id={idOf(insight)} onSelect={choose(run)}>
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {insight.issue_name}
                  </span>
                  <span className="shrink-0 text-small text-muted tabular-nums">
                    #{insight.issue_number} · {mentionsText(mentionCount(insight))}
                  </span>
                </Item>
              ))}
            </Group>
          ) : null}
          <Entries heading="Screens" entries={screens} choose={choose} />
          <Entries heading="Actions" entries={actions} choose={choose} />
        </Command.List>
      </Command>
    </Dialog>
  )
}

const idOf = ({ issue_number }: { issue_number: number }) => `insight ${issue_number}`
const entryId = (heading: string, { label }: Entry) => `${heading} ${label}`

/**
 * The entry that Enter chooses: the first one, also when insights arrive after the letters were typed, until a person moves to another that is
 * there.
 */
function useSelected(ids: readonly string[]) {
  const [selected, select] = useState(ids[0] ?? '')
  const [before, setBefore] = useState(ids)
  if (before.join('\n') !== ids.join('\n')) {
    setBefore(ids)
    const isMoved = selected !== before[0] && ids.includes(selected)
    if (!isMoved) select(ids[0] ?? '')
  }
  return [selected, select] as const
}

/**
 * Keeps the field's `aria-activedescendant` at the entry that is selected. The library may leave it at one that is gone, when entries are replaced
 * while one is typed for.
 */
function useActiveDescendant(list: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const root = list.current
    const field = root?.querySelector('[cmdk-input]')
    if (!root || !field) return
    const observer = new MutationObserver(() => {
      const id = root.querySelector('[cmdk-item][aria-selected=true]')?.id
      if (field.getAttribute('aria-activedescendant') === (id ?? null)) return
      if (id === undefined) field.removeAttribute('aria-activedescendant')
      else field.setAttribute('aria-activedescendant', id)
    })
    const attributeFilter = ['aria-selected', 'aria-activedescendant']
    observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter })
    return () => observer.disconnect()
  }, [list])
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group heading={<span className="block px-2 pt-2 pb-1 text-small text-muted">{heading}</span>}>
      {children}
    </Command.Group>
  )
}

function Item({ id, onSelect, children }: { id: string; onSelect: () => void; children: ReactNode }) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded px-2 select-none data-[selected=true]:bg-selected"
    >
      {children}
    </Command.Item>
  )
}

type EntriesProps = { heading: string; entries: readonly Entry[]; choose: (run: () => void) => () => void }

function Entries({ heading, entries, choose }: EntriesProps) {
  if (entries.length === 0) return null
  return (
    <Group heading={heading}>
      {entries.map((entry) => (
        <Item key={entry.label} id={entryId(heading, entry)} onSelect={choose(entry.run)}>
          <entry.Icon size={16} aria-hidden className="shrink-0 text-muted" />
          <span dir="auto" className="min-w-0 truncate">
            {entry.label}
          </span>
        </Item>
      ))}
    </Group>
  )
}

/** The entries that the words find, the best first; all of them while there are none. */
function found(entries: readonly Entry[], words: string): readonly Entry[] {
  if (words === '') return entries
  return entries
    .map((entry) => ({ entry, score: defaultFilter(entry.label, words, entry.words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

/** The insights that the words find, with what opens each: beside the list as it is where that is shown. */
function useFoundInsights(words: string) {
  const { data } = useInsights()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const likeliest = useMemo(
    () => (words === '' || !data ? [] : rankInsights(data, words, words).slice(0, MAX_INSIGHTS)),
    [data, words],
  )
  return likeliest.map((insight) => ({
    insight,
    run: () => {
      const address = new URLSearchParams(pathname === '/insights' ? window.location.search : '')
      void navigate(`/insights?${withOpen(address, insight.issue_number)}`)
    },
  }))
}

function useScreens(): Entry[] {
  const navigate = useNavigate()
  const isAdmin = useUserData()?.is_admin === true
  const hasExtras = useHasExtras()
  const parts = useSettingsParts().filter(({ path }) => path !== '')
  const places = [
    ...ENTRIES,
    ...(hasExtras ? [...MORE_PLACES, ...MENU_PLACES] : []),
    ...(isAdmin ? ADMIN_ENTRIES : []),
    ...(isAdmin && hasExtras ? ADMIN_MENU_PLACES : []),
    ...parts.map(({ path, label }) => ({ to: `/settings${path}`, label: `Settings: ${label}`, Icon: Settings })),
  ]
  return places.map(({ to, label, Icon }) => ({ label, Icon, run: () => void navigate(to) }))
}

function useActions(): Entry[] {
  const hasOthers = useUserData()?.workspace?.has_others === true
  const logOut = useLogOut()
  return [
    { label: 'Show keyboard shortcuts', Icon: Keyboard, words: ['help', 'keys'], run: () => showFrameWindow('keys') },
    ...THEMES.map(({ value, label }) => ({
      label: `Theme: ${label}`,
      Icon: SunMoon,
      words: ['color', 'look'],
      run: () => chooseTheme(value),
    })),
    ...(hasOthers
      ? [{ label: 'Switch workspace…', Icon: ArrowLeftRight, run: () => showFrameWindow('workspaces') }]
      : []),
    { label: 'Log out', Icon: LogOut, words: ['sign out'], run: logOut },
  ]
}

/** What can be done with any words: search all feedback for them, and ask about it. */
function useSearches(words: string): Entry[] {
  const navigate = useNavigate()
  if (!useHasExtras() || words === '') return []
  return [
    {
      label: `Search all feedback for “${words}”`,
      Icon: Search,
      run: () => void navigate(allFeedback({ q: words })),
    },
    {
      label: `Ask about feedback: “${words}”`,
      Icon: CircleQuestionMark,
      run: () => void navigate(allFeedback({ q: words, ask: '1' })),
    },
  ]
}
