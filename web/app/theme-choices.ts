import type { ThemeChoice } from './theme.ts'

/** The themes with their labels. */
export const THEMES: readonly { value: ThemeChoice; label: string }[] = [
  { value: 'system', label: 'Match system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
