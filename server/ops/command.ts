import { Child, type ChildOptions } from '../faults/child.ts'

/** What came of a command; `output`: both of its streams. */
export type Outcome = {
  /** Null: it did not end in time and was killed. */
  code: number | null
  output: string
}

/** Runs one command of the command line, in this network and of this checkout unless told otherwise. `limitMs`: when it counts as hung. */
export async function groundswell(
  args: readonly string[],
  env: Record<string, string>,
  limitMs = 120_000,
  options: Pick<ChildOptions, 'namespace' | 'checkout'> = {},
): Promise<Outcome> {
  const child = new Child(['server/cli.ts', ...args], { ...options, env })
  const late = setTimeout(() => child.process.kill('SIGKILL'), limitMs)
  await child.ended
  clearTimeout(late)
  return { code: child.process.exitCode, output: child.output.trim() }
}
