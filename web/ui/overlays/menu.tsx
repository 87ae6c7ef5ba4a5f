import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes } from 'react'
import { type ComponentType, cloneElement, type MouseEvent, type ReactElement, useState } from 'react'
import { lazyPart } from '../loading/lazy-part.tsx'
import { tellNotOpened } from '../loading/missing-part.tsx'

/** A part of a menu in which one of several options is chosen. */
export type MenuChoice = {
  kind: 'choice'
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

/** An entry of a menu: an action, a link or a choice. */
export type MenuEntry =
  | {
      kind?: 'action'
      label: string
      Icon?: LucideIcon
      danger?: boolean
      /** The action sets the focus instead of the trigger getting it back. */
      leads?: boolean
      /** A key that chooses it while the menu is open. */
      shortcut?: string
      onSelect: () => void
    }
  | { kind: 'line' }
  | MenuChoice

/** The button that opens a menu, its entries, and where it opens. */
export type MenuProps = {
  /** One button. */
  trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>
  entries: readonly MenuEntry[]
  align?: 'start' | 'end'
  side?: 'top' | 'bottom' | 'right'
}

/** What a menu's code gets besides its own props. */
export type PopupProps = {
  /** A placeholder while the menu is loading. */
  closed: ReactElement
  onMissing: () => void
}

type Triggered = Pick<MenuProps, 'trigger'>

/**
 * A menu that opens from `trigger`. Its code is not needed for the first view of a screen: it is fetched when the pointer or
 * the focus comes near, and a placeholder is shown from the first click on. `load` fetches what shows a `MenuPopup`.
 */
export function lazyMenu<P extends Triggered>(load: () => Promise<ComponentType<P & PopupProps>>): ComponentType<P> {
  const Popup = lazyPart<P & PopupProps>(load, {
    waiting: ({ closed }) => closed,
    missing: ({ closed }) => closed,
    onMissing({ onMissing }, error) {
      onMissing()
      tellNotOpened(error)
    },
  })
  /** Fetches the menu before the click. A failure here occurs again, and is reported, when the menu is opened. */
  const fetchAhead = () => void load().catch(() => undefined)
  return function LazyMenu(props: P) {
    const [wanted, setWanted] = useState(false)
    const trigger = cloneElement(props.trigger, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onPointerEnter: fetchAhead,
      onFocus: fetchAhead,
      onClick: (event: MouseEvent) => {
        event.stopPropagation()
        setWanted(true)
      },
      onKeyDown: (event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        setWanted(true)
      },
    })
    if (!wanted) return trigger
    return <Popup {...props} closed={trigger} onMissing={() => setWanted(false)} />
  }
}

/** A menu of these entries. */
export const Menu = lazyMenu<MenuProps>(async () => (await import('./menu-popup.tsx')).MenuPopup)
