import { loadProgram } from './bundle.ts'

const { runDemo } = await loadProgram('server/demo/run.ts', () => import('./demo/run.ts'))
await runDemo()
