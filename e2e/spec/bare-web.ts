import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Names the folder of the web app that is built for the bare stand-in. */
export const BARE_WEB_VARIABLE = 'GROUNDSWELL_BARE_WEB'

export const SLACK_CLIENT_ID = '12.34'
export const ONBOARDING_URL = 'https://onboarding.example/start'
export const HOSTED_AUTH_URL = 'https://auth.example'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Builds the web app as for a third-party server: all configuration at build time. React is built for development,
 * so that Strict Mode runs every effect twice.
 */
export async function setup(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-bare-web-'))
  const build = spawn(
    process.execPath,
    [path.join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--outDir', folder, '--logLevel', 'warn'],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        NODE_ENV: 'development',
        VITE_SLACK_CLIENT_ID: SLACK_CLIENT_ID,
        VITE_ONBOARDING_URL: ONBOARDING_URL,
        VITE_SUPABASE_URL: HOSTED_AUTH_URL,
      },
    },
  )
  const [code] = (await once(build, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The web app for the bare stand-in was not built')
  process.env[BARE_WEB_VARIABLE] = folder
}

/** Removes it again. */
export async function teardown(): Promise<void> {
  const folder = process.env[BARE_WEB_VARIABLE]
  if (folder) await rm(folder, { recursive: true, force: true })
}
