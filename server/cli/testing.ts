import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'

/** What a command came to: its exit code, and what it wrote to both streams. */
export type Outcome = { code: number | null; out: string; err: string }

type Surroundings = { folder: string; env?: Record<string, string> | undefined; input?: string | undefined }

const root = path.resolve(import.meta.dirname, '../..')

/** Runs `groundswell` in a process of its own, as from `folder`, and waits until it ends. `input`: its standard input. */
export async function groundswell(args: readonly string[], { folder, env, input }: Surroundings): Promise<Outcome> {
  const child = spawn(process.execPath, [path.join(root, 'server/cli.ts'), ...args], {
    cwd: root,
    env: { ...process.env, INIT_CWD: folder, ...env },
  })
  child.stdin.end(input ?? '')
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ])
  return { code, out, err }
}
