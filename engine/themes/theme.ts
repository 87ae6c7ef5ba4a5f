/** A theme as it is stored: see `planThemes`. */
export type KnownTheme = {
  id: number
  /** the name that the engine gave it */
  name: string
  /** how a person named it */
  personName: string | null
  /** a person made, renamed or removed it: it does not end, and is not merged with another such one */
  kept: boolean
  /** the insights that the engine put there */
  insightIds: readonly number[]
}

/** Where people put insights: in a theme, or 0 for in none. */
export type ThemePin = { issueId: number; themeId: number }

/** What is stored of the themes of a workspace. `lastId`: the highest id ever used. */
export type KnownThemes = { themes: readonly KnownTheme[]; pins: readonly ThemePin[]; lastId: number }

/** The themes after a revision. A known one that is not among them has ended. `insightIds`: without those that people put there. */
export type PlannedTheme = { id: number; name: string; insightIds: number[] }

/** The themes of a workspace before its first revision. */
export const NO_THEMES: KnownThemes = { themes: [], pins: [], lastId: 0 }
