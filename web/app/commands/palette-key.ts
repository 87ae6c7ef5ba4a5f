/** The key of the command palette as this system writes it. */
export const PALETTE_KEY = navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K'
