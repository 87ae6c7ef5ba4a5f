import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

/** `mcp`: the tools for agents, in a process that an agent starts. */
export function addMcp(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .description(
      'serve agents over standard input and output, by calls to the server GROUNDSWELL_URL with GROUNDSWELL_API_KEY',
    )
    .action(async () => (await import('../mcp.ts')).serveStdio(terminal))
}
