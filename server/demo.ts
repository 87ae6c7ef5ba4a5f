import { runDemo } from './demo/run.ts'

await runDemo()
