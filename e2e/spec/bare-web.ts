import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/** Names the folder of the web app that is built for the bare stand-in. */
export const BARE_WEB_VARIABLE = 'GROUNDSWELL_BARE_WEB'

export const SLACK_CLIENT_ID = '12.34'
export const ONBOARDING_URL = 'https://onboarding.example/start'
export const HOSTED_AUTH_URL = 'https://auth.example'

const root = path.resolve(import.meta.dirname, '../..')
const builds = path.join(root, 'node_modules/.groundswell')
const PREFIX = 'bare-web-'

/** React is built for development, so that Strict Mode runs every effect twice. */
const SETTINGS = {
  NODE_ENV: 'development',
  VITE_SLACK_CLIENT_ID: SLACK_CLIENT_ID,
  VITE_ONBOARDING_URL: ONBOARDING_URL,
  VITE_SUPABASE_URL: HOSTED_AUTH_URL,
}

/**
 * Builds the web app as for a third-party server: all configuration at build time. A build is kept for as long as nothing that it is
 * made of changes: the same as in scripts/setup.mjs, which builds the app of our server.
 */
export async function setup(): Promise<void> {
  const environment = { ...process.env, ...SETTINGS }
  const folder = path.join(builds, PREFIX + (await fingerprint(environment)))
  if (!existsSync(folder)) {
    await mkdir(builds, { recursive: true })
    // Elsewhere first: an incomplete build of a run that was ended is not mistaken for a complete one.
    const half = await mkdtemp(path.join(builds, `half-${PREFIX}`))
    await build(half, environment)
    await rename(half, folder).catch((error: unknown) => {
      // Unless another run of this checkout has finished the same build.
      if (!existsSync(folder)) throw error
      return rm(half, { recursive: true })
    })
    const old = (await readdir(builds)).filter((name) => name.startsWith(PREFIX) && name !== path.basename(folder))
    for (const name of old) await rm(path.join(builds, name), { recursive: true, force: true })
  }
  process.env[BARE_WEB_VARIABLE] = folder
}

async function build(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  const options = ['--outDir', folder, '--logLevel', 'warn']
  const running = spawn(process.execPath, [vite, 'build', 'web', ...options], { cwd: root, stdio: 'inherit', env })
  const [code] = (await once(running, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The web app for the bare stand-in was not built')
}

/** Changes with every file and setting that a build depends on. */
async function fingerprint(environment: NodeJS.ProcessEnv): Promise<string> {
  const hash = createHash('sha256')
  const names = Object.keys(environment).filter((name) => name === 'NODE_ENV' || name.startsWith('VITE_'))
  for (const name of names.toSorted()) hash.update(`${name}=${environment[name]}\0`)
  const files = [...(await filesIn('web')), ...(await filesIn('contract')), 'package-lock.json']
  for (const file of files.toSorted()) {
    hash
      .update(`${file}\0`)
      .update(await readFile(path.join(root, file)))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true })
  const found = entries
    .filter(({ name }) => name !== 'dist' && name !== 'node_modules')
    .map(async (entry) => {
      const file = path.posix.join(folder, entry.name)
      return entry.isDirectory() ? await filesIn(file) : [file]
    })
  return (await Promise.all(found)).flat()
}
