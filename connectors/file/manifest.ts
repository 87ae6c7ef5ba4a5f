import * as z from 'zod/mini'
import type { Manifest } from '../connector.ts'
import { readLogo } from '../kit/logo.ts'

export const manifest: Manifest = {
  id: 'file',
  label: 'File',
  side: 'source',
  info: 'Feedback from a CSV, TSV, JSONL or text file',
  logo: readLogo(import.meta.url),
  comingSoon: false,
  tile: false,
  formTitle: 'Import a file',
  fields: [],
  secretFields: [],
  form: z.strictObject({}),
  signs: false,
  describe: () => ({ name: 'File', userData: {} }),
  unconnected: {},
}
