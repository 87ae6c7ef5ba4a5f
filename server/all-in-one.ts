import { loadProgram } from './bundle.ts'

const { runAllInOne } = await loadProgram('server/cli/all-in-one.ts', () => import('./cli/all-in-one.ts'))
await runAllInOne()
