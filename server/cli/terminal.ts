import path from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** A standard stream. On a terminal, `isTTY` is true. */
export type Output = Writable & { isTTY?: boolean }

/** What a command works with, so that it runs in a process of its own and in that of a test. */
export type Terminal = {
  env: NodeJS.ProcessEnv
  stdin: Readable & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  /** What the process exits with: 0 unless the command sets another. */
  exitCode: number
}

/** The terminal that this process was started in. */
export function ownTerminal(): Terminal {
  const { env, stdin, stdout, stderr } = process
  return { env, stdin, stdout, stderr, exitCode: 0 }
}

/** The file that a person names. Paths are relative to the folder of the caller: npm changes it, and passes the original in INIT_CWD. */
export function pathOf({ env }: Terminal, argument: string): string {
  return path.resolve(env.INIT_CWD ?? process.cwd(), argument)
}
