import { fuzzProtocol } from './testing.ts'

fuzzProtocol(Number(process.env.FUZZ_RUNS ?? 60))
