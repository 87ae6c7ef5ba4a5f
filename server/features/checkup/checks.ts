import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { accountRights } from '../../platform/db/account-tables.ts'
import { APP_ROLE, AUTH_ROLE, signsInAsApp } from '../../platform/db/connection.ts'
import type { Database } from '../../platform/db/database.ts'
import { openClient } from '../../platform/db/guarded-client.ts'
import { LONG } from '../../platform/db/limits.ts'
import { diskOf } from '../../platform/files/disk.ts'
import { type Backlog, readBacklog } from './backlog.ts'
import { roleFacts, serverVersion, tablesWithoutIsolation } from './store.ts'

/** One finding. `advice` is what to do, if there is anything to do. */
export type Finding = { state: 'ok' | 'notice' | 'problem'; what: string; advice?: string }

const OLDEST_POSTGRESQL = 150_000
const LOW_DISK_BYTES = 1024 ** 3

/** What the settings mean for people who use this installation from elsewhere. */
export function checkSettings(config: Config, webFolder: { built: boolean }): Finding[] {
  const findings: Finding[] = [
    webFolder.built
      ? { state: 'ok', what: 'The web app is built.' }
      : {
          state: 'problem',
          what: 'The web app is not built.',
          advice: 'Run npm start: it builds the web app first.',
        },
  ]
  const open = config.host !== '127.0.0.1' && config.host !== 'localhost' && config.host !== '::1'
  if (!config.publicUrl) {
    findings.push({
      state: 'notice',
      what: 'PUBLIC_URL is not set: pushed insights carry no link back.',
      advice: 'Set it to the address people use, such as https://feedback.example.com.',
    })
  }
  if (open && config.publicUrl?.startsWith('http://')) {
    findings.push({
      state: 'problem',
      what: 'PUBLIC_URL is http: passwords and tokens are sent unencrypted.',
      advice: 'Put a proxy with TLS in front and set PUBLIC_URL to https.',
    })
  }
  if (open && config.signup === 'open') {
    findings.push({
      state: 'notice',
      what: 'Anyone who reaches this server can sign up (each gets their own workspace).',
      advice: 'Set SIGNUP=closed once your accounts exist.',
    })
  }
  findings.push(...checkAddresses(config))
  if (config.allowPrivateAddresses.length > 0) {
    findings.push({
      state: 'notice',
      what: `Webhooks may reach private addresses: ${config.allowPrivateAddresses.join(', ')}.`,
    })
  }
  return findings
}

/** Whether migrations, jobs and the app have separate addresses: one for all of them gives the app too many rights. */
function checkAddresses({ databaseUrl, databaseDirectUrl, databaseAdminUrl, databaseAuthUrl }: Config): Finding[] {
  if (databaseUrl === undefined) return []
  const findings: Finding[] = []
  if (databaseAdminUrl === undefined) {
    findings.push({
      state: 'notice',
      what: signsInAsApp(databaseUrl)
        ? 'DATABASE_ADMIN_URL is not set: this process can run neither migrations nor backups.'
        : 'DATABASE_ADMIN_URL is not set: the app signs in with the rights of the owner of the tables.',
      advice: 'See "Database roles" in docs/operations.md. `serve` and `worker` do not need it.',
    })
  }
  if (databaseAuthUrl === undefined) {
    findings.push({
      state: 'notice',
      what: 'DATABASE_AUTH_URL is not set: accounts and sign-ins are read with the same sign-in as all other data.',
      advice: `Let ${AUTH_ROLE} sign in, and set it for every process: see "Database roles" in docs/operations.md.`,
    })
  }
  if (databaseDirectUrl === undefined) {
    findings.push({
      state: 'notice',
      what: 'DATABASE_DIRECT_URL is not set: LISTEN and jobs use DATABASE_URL.',
      advice: 'Set it to the address of the server itself if DATABASE_URL leads through a pooler.',
    })
  }
  return findings
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

/** The folder itself, or the nearest one above it that exists. */
async function nearestFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null)
  const parent = path.dirname(folder)
  return found || parent === folder ? folder : nearestFolder(parent)
}

/** The data folder: writable, private, with free space. */
export async function checkFolder(config: Config): Promise<Finding[]> {
  const folder = config.dataDir
  const found = await stat(folder).catch(() => null)
  if (!found) {
    const parent = await nearestFolder(path.dirname(folder))
    return (await isWritable(parent))
      ? [{ state: 'notice', what: `${folder} does not exist yet.`, advice: 'npm start makes it.' }]
      : [
          {
            state: 'problem',
            what: `${folder} does not exist, and this user may not write to ${parent}.`,
            advice: 'Set GROUNDSWELL_DATA to a folder that the user may write to.',
          },
        ]
  }
  if (!found.isDirectory())
    return [{ state: 'problem', what: `${folder} is not a folder.`, advice: 'Set GROUNDSWELL_DATA.' }]
  const findings: Finding[] = []
  const writable = await isWritable(folder)
  findings.push(
    writable
      ? { state: 'ok', what: `The data folder is ${folder}.` }
      : {
          state: 'problem',
          what: `This user may not write to ${folder}.`,
          advice: 'Run as its owner, or set GROUNDSWELL_DATA.',
        },
  )
  const { free } = (await diskOf(folder)) ?? { free: 0 }
  const gib = (free / 1024 ** 3).toFixed(1)
  findings.push(
    free < LOW_DISK_BYTES
      ? {
          state: 'problem',
          what: `Only ${gib} GiB are free at ${folder}.`,
          advice: 'Make room: the database stops when the disk is full.',
        }
      : { state: 'ok', what: `${gib} GiB are free.` },
  )
  if (!config.key) {
    const key = await stat(path.join(folder, 'secret.key')).catch(() => null)
    if (key && (key.mode & 0o077) !== 0) {
      findings.push({
        state: 'problem',
        what: 'secret.key can be read by other users.',
        advice: `chmod 600 ${folder}/secret.key`,
      })
    } else if (key) {
      findings.push({
        state: 'ok',
        what: 'The sealing key is in secret.key. Keep a copy of it apart from the backups.',
      })
    }
  }
  return findings
}

/** The database: version, the app's rights, isolation, and work that waits or failed. */
export async function checkDatabase(db: Database): Promise<Finding[]> {
  const findings: Finding[] = []
  const owner = await openClient(db.ownerUrl, 'groundswell doctor', LONG)
  try {
    const version = await serverVersion(owner)
    findings.push(
      version.number >= OLDEST_POSTGRESQL
        ? { state: 'ok', what: `PostgreSQL ${version.text}${db.embedded ? ', private' : ''}.` }
        : { state: 'problem', what: `PostgreSQL ${version.text} is too old.`, advice: 'Use version 15 or later.' },
    )
    const open = await tablesWithoutIsolation(owner)
    findings.push(
      open.length === 0
        ? { state: 'ok', what: 'The database isolates workspaces.' }
        : {
            state: 'problem',
            what: `Row-level security is off for ${open.join(', ')}.`,
            advice: 'Restore from a backup, or ask who changed it.',
          },
    )
    findings.push(...backlogFindings(await readBacklog(db)))
  } finally {
    await owner.end()
  }
  const app = await openClient(db.appUrl, 'groundswell doctor', LONG)
  try {
    const role = await roleFacts(app)
    findings.push(
      role.superuser || role.bypasses || role.owns > 0
        ? {
            state: 'problem',
            what: `The app works as ${role.name}, which can bypass row-level security.`,
            advice: 'Let DATABASE_URL sign in as groundswell_app, or as a user that may SET ROLE groundswell_app.',
          }
        : { state: 'ok', what: `The app works as ${role.name}, which owns nothing.` },
    )
    const rights = await accountRights(app)
    findings.push(
      rights?.app
        ? {
            state: 'notice',
            what: `${APP_ROLE} may read the tables of accounts: a flaw in any part of the app reaches every sign-in.`,
            advice: `Set DATABASE_AUTH_URL for every process, and run groundswell migrate: see "Database roles" in docs/operations.md.`,
          }
        : { state: 'ok', what: `Only ${AUTH_ROLE} may read the tables of accounts.` },
    )
  } finally {
    await app.end()
  }
  return findings
}

function backlogFindings(work: Backlog): Finding[] {
  const findings: Finding[] = [{ state: 'ok', what: `${work.workspaces} workspaces.` }]
  if (work.ungrouped > 0) {
    findings.push({
      state: 'notice',
      what: `${work.ungrouped} messages are waiting to be grouped.`,
      advice: 'A worker does that: npm start, or groundswell worker.',
    })
  }
  if (work.waiting > 0)
    findings.push({ state: 'notice', what: `${work.waiting} deliveries are waiting for their next attempt.` })
  if (work.held > 0) {
    findings.push({
      state: 'ok',
      what: `${work.held} deliveries are held until somebody sends them, under Deliveries in the web app.`,
    })
  }
  if (work.failed > 0) {
    findings.push({
      state: 'problem',
      what: `${work.failed} deliveries failed.`,
      advice: 'See Deliveries in the web app; each can be sent again.',
    })
  }
  if (work.paused > 0)
    findings.push({
      state: 'problem',
      what: `${work.paused} destinations are paused.`,
      advice: 'Resume them under Integrations.',
    })
  if (work.errors > 0)
    findings.push({
      state: 'problem',
      what: `${work.errors} connections report an error.`,
      advice: 'See Integrations.',
    })
  return findings
}
