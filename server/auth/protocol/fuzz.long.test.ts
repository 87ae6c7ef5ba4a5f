import { extent, seed } from '../../faults/extent.ts'
import { fuzzProtocol } from './testing.ts'

fuzzProtocol(extent({ whole: 5_000, sample: 100 }), seed)
