import type { Config } from './platform/config/config.ts'

type Settings = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseAdminUrl' | 'databaseAuthUrl'>

/** What the operating system and PostgreSQL report: https://www.postgresql.org/docs/current/errcodes-appendix.html */
type SystemError = Error & {
  code?: string
  address?: string
  port?: number
  hostname?: string
  path?: string
  errors?: readonly unknown[]
}

/** Turns the error of a failed start into one that names the setting and the problem; any other error stays as it is. */
export function explainStart(error: unknown, config: Settings): unknown {
  const failure = systemError(error)
  if (!failure) return error
  const message = folderProblem(failure, config.dataDir) ?? databaseProblem(failure, config)
  return message === null ? error : new Error(message, { cause: error })
}

/** A host with two addresses fails with an error for each. */
function systemError(error: unknown): SystemError | null {
  if (!(error instanceof Error)) return null
  const [first] = (error as SystemError).errors ?? []
  return first instanceof Error ? systemError(first) : error
}

function folderProblem({ code, path }: SystemError, dataDir: string): string | null {
  if (path === undefined || !path.startsWith(dataDir)) return null
  const why = FOLDER_PROBLEMS[code ?? '']
  return why === undefined ? null : `GROUNDSWELL_DATA: ${dataDir} cannot be used: ${why}.`
}

const FOLDER_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write to it',
  EPERM: 'this user may not write to it',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'it is a file, or below one',
}

function databaseProblem(failure: SystemError, config: Settings): string | null {
  const found = addressOf(failure, config)
  if (!found) return null
  const { setting, url } = found
  const at = `${url.hostname}:${url.port || '5432'}`
  switch (failure.code ?? '') {
    case 'ECONNREFUSED':
      return `${setting}: no database answers at ${at}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${setting}: there is no host “${url.hostname}”.`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${setting}: ${at} cannot be reached.`
    case '28P01':
    case '28000':
      return `${setting}: the database refuses the user “${decodeURIComponent(url.username)}”: ${failure.message}.`
    case '3D000':
      return `${setting}: there is no database “${decodeURIComponent(url.pathname.slice(1))}” at ${at}.`
    default:
      return null
  }
}

/** The first setting whose address can have failed so. */
function addressOf(failure: SystemError, config: Settings): { setting: string; url: URL } | undefined {
  const addresses = {
    DATABASE_URL: config.databaseUrl,
    DATABASE_DIRECT_URL: config.databaseDirectUrl,
    DATABASE_ADMIN_URL: config.databaseAdminUrl,
    DATABASE_AUTH_URL: config.databaseAuthUrl,
  }
  const given = Object.entries(addresses).flatMap(([setting, address]) =>
    address !== undefined && URL.canParse(address) ? [{ setting, url: new URL(address) }] : [],
  )
  return given.find(({ url }) => isAbout(failure, url)) ?? given[0]
}

function isAbout({ message, hostname, address, port }: SystemError, url: URL): boolean {
  if (hostname !== undefined) return url.hostname === hostname
  if (port !== undefined) return Number(url.port || '5432') === port && [address, 'localhost'].includes(url.hostname)
  return message.includes(`"${decodeURIComponent(url.username)}"`) || message.includes(`"${url.pathname.slice(1)}"`)
}
