import { type Config, ConfigError } from '../platform/config/config.ts'

/** Loopback addresses. */
const LOOPBACK = /^(localhost|::1|127(\.\d{1,3}){3})$/

/**
 * Throws unless the demo listens on this machine only, or DEMO_PUBLIC states that others may reach it: its password is known to
 * everyone, and its account is an admin.
 */
export function refuseReach({ host, demoPublic }: Pick<Config, 'host' | 'demoPublic'>): void {
  if (demoPublic || LOOPBACK.test(host)) return
  throw new ConfigError(
    `The demo's password is known to everyone, so it does not listen on HOST=${host}, where others can reach it. Leave HOST out, or set DEMO_PUBLIC=1 if that is what you want.`,
  )
}
