import type { TrackerSample } from '../kit/sample.ts'
import { startTracker } from '../sandbox/tracker/tracker.ts'

export const tracker: TrackerSample = startTracker
