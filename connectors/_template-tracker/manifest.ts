import * as z from 'zod/mini'
import type { Manifest } from '../connector.ts'
import { readLogo } from '../kit/logo.ts'

const Token = z
  .string()
  .check(z.trim(), z.minLength(8, 'A token has at least 8 characters'), z.maxLength(1024), z.regex(/^[\x21-\x7e]+$/))

export const Secrets = z.object({ token: z.string() })

export const manifest: Manifest = {
  id: '_template-tracker',
  label: 'Template tracker',
  side: 'destination',
  info: 'Insights as items of a tracker',
  logo: readLogo(import.meta.url),
  comingSoon: false,
  tile: true,
  formTitle: 'Connect Template tracker',
  fields: [
    { name: 'token', label: 'API token', kind: 'secret', required: true, help: 'Create one under Settings > API.' },
  ],
  secretFields: ['token'],
  form: z.object({ token: Token }),
  signs: false,
  describe: () => ({ name: 'Template tracker', userData: {} }),
  unconnected: {},
}
