const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** How long an access token is valid. */
export const ACCESS_TOKEN_MS = 60 * MINUTE_MS

/** A session ends this long after its last renewal. */
export const IDLE_MS = 30 * DAY_MS

/** A session ends this long after it started, regardless of use. */
export const ABSOLUTE_MS = 90 * DAY_MS

/** The same for a session that single sign-on made: a person whose account at the provider is closed is out within a day. */
export const SSO_MS = DAY_MS

/** Within this time a refresh token that was already used returns its successor, for any tab. */
export const REUSE_MS = 10_000

/** The tolerated clock difference between two of our machines. */
export const CLOCK_SKEW_MS = 30_000
