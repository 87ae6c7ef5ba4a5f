import { spawn } from 'node:child_process'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runCommand } from './program.ts'

/** What a command came to: its exit code, and what it wrote to both streams. */
export type Outcome = { code: number | null; out: string; err: string }

/** `folder`: of the caller. `env`: added to that of this process. `input`: the standard input. */
type Surroundings = { folder: string; env?: Record<string, string> | undefined; input?: string | undefined }

const root = path.resolve(import.meta.dirname, '../..')

/** Runs `groundswell` in a process of its own, which takes a second of CPU, and waits until it ends. For each command, one test does. */
export async function groundswellProcess(
  args: readonly string[],
  { folder, env, input }: Surroundings,
): Promise<Outcome> {
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

/** Runs `groundswell` in this process: what its own would write, and exit with. */
export async function groundswell(args: readonly string[], { folder, env, input }: Surroundings): Promise<Outcome> {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const written = Promise.all([text(stdout), text(stderr)])
  const code = await runCommand(args, {
    env: { ...process.env, INIT_CWD: folder, ...env },
    stdin: Readable.from([Buffer.from(input ?? '')]),
    stdout,
    stderr,
    exitCode: 0,
  })
  stdout.end()
  stderr.end()
  const [out, err] = await written
  return { code, out, err }
}
