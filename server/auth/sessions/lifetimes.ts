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

/**
 * By how much a clock may be wrong for a while. Once it is corrected, nothing that was revoked comes back, and tokens that are from further ahead are
 * refused. Those from less far ahead are not: people who signed in meanwhile would be signed out.
 */
export const CLOCK_JUMP_MS = 120 * MINUTE_MS

/** For how long it is remembered that a session ended or an account changed: until no token from before can be valid. */
export const REMEMBER_MS = ACCESS_TOKEN_MS + CLOCK_JUMP_MS
