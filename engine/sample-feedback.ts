import type { Item } from './model.ts'

/** Made-up feedback for tests: three issues, each said in several ways, and chit-chat. */
const ISSUES: Record<string, string[]> = {
  export: [
    'CSV export fails for large reports',
    'the csv export fails when the report is large',
    'Export of a large report to CSV fails again',
    'large reports: CSV export fails with an error',
    'my CSV export fails, the report has 40,000 rows',
  ],
  login: [
    'I cannot log in with single sign-on',
    'single sign-on login does not work, I cannot log in',
    'cannot log in by single sign-on since this morning',
    'our people cannot log in with single sign-on',
    'log in with single sign-on is broken, we cannot get in',
  ],
  dark: [
    'please add a dark mode to the app',
    'dark mode for the app, please',
    'I would love a dark mode in the app',
    'the app needs a dark mode for night shifts',
    'when will the app have a dark mode?',
  ],
}

export const CHAT = ['thanks!', 'good morning', 'lol', '🎉', 'have a nice weekend']

/** The items, issue by turn, as they might arrive; `m0`, `m1`, … */
export const SAMPLE: Item[] = [0, 1, 2, 3, 4].flatMap((turn) =>
  [...Object.values(ISSUES), CHAT].map((texts, issue) => {
    const position = turn * 4 + issue
    return { id: `m${position}`, text: texts[turn] as string, at: position * 60_000 }
  }),
)

/** The label of a sample item; null for chit-chat. */
export function labelOf(itemId: string): string | null {
  return Object.keys(ISSUES)[Number(itemId.slice(1)) % 4] ?? null
}
