const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** How long an access token is believed. */
export const ACCESS_TOKEN_MS = 60 * MINUTE_MS

/** A sign-in ends this long after it was last renewed. */
export const IDLE_MS = 30 * DAY_MS

/** A sign-in ends this long after it began, however much it is used. */
export const ABSOLUTE_MS = 90 * DAY_MS

/** Within this time a refresh token that was used already is answered with what it led to, whichever tab asks. */
export const REUSE_MS = 10_000

/** How much the clocks of two of our machines may differ. */
export const CLOCK_SKEW_MS = 30_000
