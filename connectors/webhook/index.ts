import type { Connector } from '../connector.ts'
import { retrySchedule } from '../kit/webhooks/standard-webhooks.ts'
import { manifest } from './manifest.ts'
import { push } from './push.ts'

export const webhook: Connector = { manifest, push, retrySchedule }
