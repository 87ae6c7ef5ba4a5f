import type { Connector } from '../connector.ts'
import { manifest } from './manifest.ts'

export const slack: Connector = { manifest }
