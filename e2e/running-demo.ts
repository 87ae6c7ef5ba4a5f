import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import readline from 'node:readline'

const root = path.resolve(import.meta.dirname, '..')

/** Where screenshots for the documentation are stored. */
export const IMAGES = path.join(root, 'docs/images')

/** `token` signs in the demo's account; `trackers` is the address of the page with the cards of all trackers. */
export type RunningDemo = { origin: string; token: string; trackers: string }

/** Runs the demo in its own process, and `work` once all of its history is read. */
export async function withDemo(work: (demo: RunningDemo) => Promise<void>): Promise<void> {
  const demo = spawn(process.execPath, [path.join(root, 'server/demo.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: '3970' },
  })
  try {
    let app = ''
    let trackers = ''
    for await (const line of readline.createInterface({ input: demo.stdout })) {
      app = /^\s*or open\s+(\S+)/.exec(line)?.[1] ?? app
      trackers = /^\s*Trackers\s+(\S+)/.exec(line)?.[1] ?? trackers
      if (line.includes('New messages now come in')) break
    }
    const { origin, hash } = new URL(app)
    const token = new URLSearchParams(hash.slice(1)).get('access_token') ?? ''
    await work({ origin, token, trackers })
  } finally {
    demo.kill('SIGINT')
    await once(demo, 'exit')
  }
}
