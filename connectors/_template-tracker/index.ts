import type { Connector } from '../connector.ts'
import { manifest } from './manifest.ts'
import { tracker } from './tracker.ts'

export const templateTracker: Connector = { manifest, tracker, retrySchedule: [5, 300, 1800, 7200, 18_000] }
