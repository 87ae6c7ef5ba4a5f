/** Whether a menu or a modal dialog is open: it takes the keys, not the page below. */
export const isMenuOrModalOpen = (): boolean => document.querySelector('[role=menu], [data-modal]') !== null

const TAKES_KEYS =
  'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [aria-modal], [data-typing]'

/** Whether the element that a key was pressed in takes keys itself: a field, a list, a menu or a modal window. */
export const takesKeys = ({ target }: Event): boolean =>
  target instanceof Element && target.closest(TAKES_KEYS) !== null
