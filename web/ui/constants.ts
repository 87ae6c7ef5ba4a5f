/** Every time, size and storage key of the screen, in one place. */

export const TOKEN_KEY = 'token'
export const USER_STORE_KEY = 'user-store'
export const USER_STORE_VERSION = 0
export const AUTH_SESSION_KEY = 'auth-session'
export const THEME_KEY = 'theme'
export const SIDEBAR_KEY = 'sidebar'

/** The auth client's own margin and retry window. */
export const RENEWAL_MARGIN_MS = 90_000
export const RENEWAL_RETRY_WINDOW_MS = 30_000

/** Between two requests for what may have changed on the server. */
export const POLL_INTERVAL_MS = 15_000
/** Between two notes that a person is still looking at the list. */
export const VISIT_INTERVAL_MS = 300_000
export const CHANGES_POLL_MS = 60_000
/** Between two requests for work that a person waits for. */
export const PROGRESS_POLL_MS = 1_000
/** Between two counts of feedback without an insight, which are expensive. */
export const UNGROUPED_POLL_MS = 180_000
/** What was typed is used once nothing more was typed for this long. */
export const TYPING_PAUSE_MS = 250

export const TOAST_LIMIT = 1
export const TOAST_DURATION_MS = 5_000
export const TOAST_SHORT_DURATION_MS = 4_000
/** How long a dismissed toast stays in the store. */
export const TOAST_REMOVE_DELAY_MS = 1_000_000
export const TOAST_SWIPE_THRESHOLD_PX = 50
export const TOOLTIP_DELAY_MS = 700

export const SIDEBAR_WIDTH_PX = 240
export const SIDEBAR_COLLAPSED_WIDTH_PX = 60
export const SIDEBAR_ANIMATION_MS = 300
export const PANEL_WIDTH_PX = 520

export const SKELETON_ROWS = 3
/** Longer tables render only the rows that are near the visible ones. */
export const VIRTUAL_ROWS_FROM = 50
export const ROW_HEIGHT_PX = 44

export const DAY_HOURS = 24
export const WEEK_HOURS = 168
export const MONTH_HOURS = 744
export const YEAR_HOURS = 8_760

export const EVALUATOR_COLUMN_WIDTH_PX = 120
export const GENERATOR_COLUMN_MIN_WIDTH_PX = 280
export const SCORE_DECIMALS = 2
