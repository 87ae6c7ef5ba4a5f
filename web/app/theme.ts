import { create } from 'zustand'
import { THEME_KEY } from '../ui/constants.ts'

/** `system`: as the operating system is set. */
export type ThemeChoice = 'system' | 'light' | 'dark'

const dark = matchMedia('(prefers-color-scheme: dark)')

function stored(): ThemeChoice {
  const choice = localStorage.getItem(THEME_KEY)
  return choice === 'light' || choice === 'dark' ? choice : 'system'
}

/** The theme chosen by hand, or the system's. */
export const useTheme = create<{ choice: ThemeChoice }>(() => ({ choice: stored() }))

/** Applies a theme and keeps the choice in this browser. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(THEME_KEY)
  else localStorage.setItem(THEME_KEY, choice)
  useTheme.setState({ choice })
  apply()
}

function apply(): void {
  const { choice } = useTheme.getState()
  document.documentElement.dataset['theme'] = choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice
}

/** Applies the theme to the page, now and whenever the system's changes. */
export function startTheme(): void {
  apply()
  dark.addEventListener('change', apply)
}
