import * as z from 'zod/mini'
import type { Manifest } from '../connector.ts'
import { readLogo } from '../kit/logo.ts'

const HttpUrl = z.url({ protocol: /^https?$/, error: 'Enter a URL that starts with https:// or http://' })

const Form = z.object({
  server: HttpUrl.check(z.maxLength(2048)),
  token: z.string().check(z.trim(), z.minLength(1, 'Enter a token'), z.maxLength(1024), z.regex(/^[\x21-\x7e]+$/)),
})

/** The fields that are not sealed. */
export const Settings = z.object({ server: z.string() })
export const Secrets = z.object({ token: z.string() })

export const manifest: Manifest = {
  id: '_template',
  label: 'Template',
  side: 'destination',
  info: 'Insights as items of a tracker',
  logo: readLogo(import.meta.url),
  comingSoon: false,
  tile: true,
  formTitle: 'Connect Template',
  fields: [
    { name: 'server', label: 'Server', kind: 'url', required: true, placeholder: 'https://tracker.example.com' },
    { name: 'token', label: 'API token', kind: 'secret', required: true, help: 'Create one under Settings > API.' },
  ],
  secretFields: ['token'],
  form: Form,
  signs: false,
  describe: (settings) => ({ name: new URL(Settings.parse(settings).server).host, userData: {} }),
  unconnected: {},
}
