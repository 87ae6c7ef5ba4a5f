import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'

type AnswerListProps<T> = {
  items: readonly T[]
  keyOf: (item: T) => string | number
  onAccept: (item: T) => void
  onReject: (item: T) => void
  /** One item, with a button for each answer. */
  children: (item: T) => ReactNode
  className?: string
}

const FIRST_BUTTON = '[aria-keyshortcuts]'

/**
 * A list to go through with the keyboard: A accepts the item that has the focus, X rejects it, ↑ and ↓ move between items. The focus
 * stays in the list when an answered item disappears.
 */
export function AnswerList<T>({ items, keyOf, onAccept, onReject, children, className }: AnswerListProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  /** The index of the item that was answered with the focus in it. */
  const left = useRef<number | null>(null)
  const focusItem = (index: number) => {
    const all = list.current?.children ?? []
    const item = all[Math.min(Math.max(index, 0), all.length - 1)]
    item?.querySelector<HTMLElement>(FIRST_BUTTON)?.focus()
  }
  useLayoutEffect(() => {
    if (left.current !== null && document.activeElement === document.body) focusItem(left.current)
    left.current = null
  })
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const index = [...event.currentTarget.children].findIndex((one) => one.contains(event.target as Node))
    const item = items[index]
    if (item === undefined) return
    if (event.key === 'ArrowDown') focusItem(index + 1)
    else if (event.key === 'ArrowUp') focusItem(index - 1)
    else if (event.key === 'a') onAccept(item)
    else if (event.key === 'x') onReject(item)
    else return
    event.preventDefault()
    left.current = index
  }
  return (
    <ul
      ref={list}
      className={className}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        left.current = [...event.currentTarget.children].findIndex((one) => one.contains(event.target as Node))
      }}
    >
      {items.map((item) => (
        <li key={keyOf(item)} className="border-b border-line last:border-0">
          {children(item)}
        </li>
      ))}
    </ul>
  )
}
