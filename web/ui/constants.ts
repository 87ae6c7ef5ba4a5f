/** Every time, size and storage key of the screen, in one place. */

/** The access token, in local storage. */
export const TOKEN_KEY = 'token'
/** The stored user data, in local storage. */
export const USER_STORE_KEY = 'user-store'
/** The version of the stored user data. */
export const USER_STORE_VERSION = 0
/** Where the auth client keeps its session, in local storage. */
export const AUTH_SESSION_KEY = 'auth-session'
/** The chosen theme, in local storage. */
export const THEME_KEY = 'theme'
/** Whether the sidebar is collapsed, in local storage. */
export const SIDEBAR_KEY = 'sidebar'

/** The auth client's own margin and retry window. */
export const RENEWAL_MARGIN_MS = 90_000
/** How long a failed renewal is tried again. */
export const RENEWAL_RETRY_WINDOW_MS = 30_000

/** Between two requests for what may have changed on the server. */
export const POLL_INTERVAL_MS = 15_000
/** Between two notes that a person is still looking at the list. */
export const VISIT_INTERVAL_MS = 300_000
/** Between two requests for what changed since the last visit. */
export const CHANGES_POLL_MS = 60_000
/** Between two requests for work that a person waits for. */
export const PROGRESS_POLL_MS = 1_000
/** Between two counts of feedback without an insight, which are expensive. */
export const UNGROUPED_POLL_MS = 180_000
/** What was typed is used once nothing more was typed for this long. */
export const TYPING_PAUSE_MS = 250

/** How many toasts are shown at once; a new one replaces the oldest. */
export const TOAST_LIMIT = 1
/** How long a toast is shown. */
export const TOAST_DURATION_MS = 5_000
/** How long the toasts of the settings are shown. */
export const TOAST_SHORT_DURATION_MS = 4_000
/** How long a dismissed toast stays in the store. */
export const TOAST_REMOVE_DELAY_MS = 1_000_000
/** A toast that is swiped this far is dismissed. */
export const TOAST_SWIPE_THRESHOLD_PX = 50
/** How long the pointer rests before a tooltip opens. */
export const TOOLTIP_DELAY_MS = 700

/** The sidebar with labels. */
export const SIDEBAR_WIDTH_PX = 240
/** The sidebar with icons alone. */
export const SIDEBAR_COLLAPSED_WIDTH_PX = 60
/** How long the sidebar takes to change its width. */
export const SIDEBAR_ANIMATION_MS = 300
/** The panel of an insight, at the right. */
export const PANEL_WIDTH_PX = 520

/** Placeholder rows while a list loads. */
export const SKELETON_ROWS = 3
/** Longer tables render only the rows that are near the visible ones. */
export const VIRTUAL_ROWS_FROM = 50
/** Rows of the table of insights, all alike, so that their positions are computed. */
export const ROW_HEIGHT_PX = 44

/** A day, in hours. */
export const DAY_HOURS = 24
/** Seven days, in hours. */
export const WEEK_HOURS = 168
/** 31 days, in hours. */
export const MONTH_HOURS = 744
/** 365 days, in hours. */
export const YEAR_HOURS = 8_760

/** Columns of scores in a session of automated evaluation. */
export const EVALUATOR_COLUMN_WIDTH_PX = 120
/** Columns of responses in a comparison; wider where there is room. */
export const GENERATOR_COLUMN_MIN_WIDTH_PX = 280
/** Decimals of scores and averages. */
export const SCORE_DECIMALS = 2
