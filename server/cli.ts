import { loadProgram } from './bundle.ts'

const { runCommandLine } = await loadProgram('server/cli/program.ts', () => import('./cli/program.ts'))
await runCommandLine()
