import type { Connector } from '../connector.ts'
import { hasLines, refusal } from './encoding.ts'
import { manifest } from './manifest.ts'
import { preview } from './preview.ts'
import { read } from './read.ts'
import { table } from './table.ts'

export const file: Connector = { manifest, file: { refusal, hasLines, preview, read, table } }
