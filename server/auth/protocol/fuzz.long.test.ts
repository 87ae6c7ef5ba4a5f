import { fuzzProtocol } from './testing.ts'

fuzzProtocol(process.env.CI ? 1_000 : 5_000)
