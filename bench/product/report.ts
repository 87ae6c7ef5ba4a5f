import { type Figure, table } from '../engine/figures.ts'
import { headingOf, type Machine } from '../engine/machine.ts'

export { thisMachine } from '../engine/machine.ts'

/** Figures with the machine they were measured on, for the terminal. */
export function summary(machine: Machine, figures: readonly Figure[]): string {
  return `${headingOf(machine)}\n\n${table([...figures])}\n`
}

/** The same as a Markdown page, docs/benchmarks/foundation.md. */
export function page(machine: Machine, figures: readonly Figure[]): string {
  return `# Speed and size

Written by \`npm run bench\`. Medians; both sides of a multiple were measured in the same run. CPU is that of the server and
its PostgreSQL together, except for polls and tokens, where it is the server's alone.

${summary(machine, figures)}
The rows are the demo company's messages, each reworded (words dropped, swapped, misspelt), generated from a seed. The
whole pipeline is measured: upload over HTTP, reading, grouping with its revisions, insights in PostgreSQL.
`
}
