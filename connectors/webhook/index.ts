import type { Connector } from '../connector.ts'
import { manifest } from './manifest.ts'
import { push, retrySchedule } from './push.ts'

export const webhook: Connector = { manifest, push, retrySchedule }
