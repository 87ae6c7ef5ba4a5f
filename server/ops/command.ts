import { Child } from '../faults/child.ts'

export type Outcome = {
  /** Null: it did not end in time and was killed. */
  code: number | null
  output: string
}

/** Runs one command of the command line. `limitMs`: when it counts as hung. */
export async function groundswell(
  args: readonly string[],
  env: Record<string, string>,
  limitMs = 120_000,
  namespace?: string,
): Promise<Outcome> {
  const child = new Child(['server/cli.ts', ...args], { env, ...(namespace === undefined ? {} : { namespace }) })
  const late = setTimeout(() => child.process.kill('SIGKILL'), limitMs)
  await child.ended
  clearTimeout(late)
  return { code: child.process.exitCode, output: child.output.trim() }
}
