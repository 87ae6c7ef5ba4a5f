import type { Connector } from '../connector.ts'
import { manifest } from './manifest.ts'
import { push } from './push.ts'

export const template: Connector = { manifest, push, retrySchedule: [5, 300, 1800, 7200, 18_000] }
