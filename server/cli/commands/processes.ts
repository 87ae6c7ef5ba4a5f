import type { Command } from 'commander'

/** `serve`, `worker` and `demo`: what runs until a signal. */
export function addProcesses(program: Command): void {
  program
    .command('serve')
    .description('run the API and the web app without a worker')
    .action(async () => (await import('../serve.ts')).serve())

  program
    .command('worker')
    .description('run a worker without the API')
    .action(async () => (await import('../serve.ts')).work())

  program
    .command('demo')
    .description("run the product with a made-up company's feedback on temporary data")
    .action(async () => (await import('../../demo/run.ts')).runDemo())
}
