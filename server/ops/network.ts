import { execFileSync } from 'node:child_process'
import type { Report } from './check.ts'

/** The check's own address in the network. */
export const OWN_ADDRESS = '10.77.0.254'

/**
 * Machines as network namespaces on one switch, in the network of a check that runs alone. The check is on the switch too. What is started in a
 * machine's namespace has its address.
 */
export class Network {
  readonly #prefix = `gs${process.pid}`
  readonly #names: readonly string[]

  constructor(report: Report, names: readonly string[]) {
    this.#names = names
    ip('link add switch type bridge')
    ip(`addr add ${OWN_ADDRESS}/24 dev switch`)
    ip('link set switch up')
    for (const name of names) {
      const namespace = this.namespaceOf(name)
      ip(`netns add ${namespace}`)
      report.onEnd(() => ip(`netns delete ${namespace}`))
      ip(`link add ${port(name)} type veth peer name eth0 netns ${namespace}`)
      ip(`link set ${port(name)} master switch`)
      ip(`link set ${port(name)} up`)
      ip(`-n ${namespace} addr add ${this.addressOf(name)}/24 dev eth0`)
      ip(`-n ${namespace} link set eth0 up`)
      ip(`-n ${namespace} link set lo up`)
    }
  }

  namespaceOf(machine: string): string {
    return `${this.#prefix}${machine}`
  }

  /** Machines have 10.77.0.1, 10.77.0.2 and so on, in the order in which they were named. */
  addressOf(machine: string): string {
    return `10.77.0.${this.#names.indexOf(machine) + 1}`
  }

  /** Pulls the cable of a machine: nothing arrives, and nothing is closed. */
  cut(machine: string): void {
    ip(`link set ${port(machine)} down`)
  }

  /** Plugs it in again. */
  join(machine: string): void {
    ip(`link set ${port(machine)} up`)
  }

  /** The TCP connections of a machine with that remote or own port, as `ss` lists them, with their timers. */
  connections(machine: string, portNumber: number): string[] {
    const filter = `( sport = :${portNumber} or dport = :${portNumber} )`
    const args = ['netns', 'exec', this.namespaceOf(machine), 'ss', '-Htno', 'state', 'established', filter]
    return execFileSync('ip', args, { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '')
  }
}

function port(machine: string): string {
  return `p-${machine}`
}

function ip(command: string): void {
  execFileSync('ip', command.split(' '), { stdio: ['ignore', 'ignore', 'pipe'] })
}
