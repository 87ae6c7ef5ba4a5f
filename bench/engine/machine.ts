import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'

/** The machine and commit of a measurement. */
export type Machine = { date: string; commit: string; cpu: string; cores: number; memoryGiB: number; node: string }

/** The current machine and checkout. A plus sign marks uncommitted changes. */
export function thisMachine(now: Date): Machine {
  const processors = cpus()
  return {
    date: now.toISOString().slice(0, 10),
    commit: commit(),
    cpu: processors[0]?.model.trim() ?? process.arch,
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
  }
}

/** A machine as one line for reports. */
export function headingOf({ date, commit, cores, cpu, memoryGiB, node }: Machine): string {
  return `${date}, commit ${commit}, ${cores} cores of ${cpu}, ${memoryGiB} GiB, Node ${node}`
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+')
  } catch {
    return 'unknown'
  }
}
