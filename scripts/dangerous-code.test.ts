import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { proves } from '@groundswell/server/platform/proves.ts'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
/** Code that runs in production: no tests, stand-ins, fault injection or benchmarks. */
const PRODUCT = ['contract', 'engine', 'connectors', 'server', 'web']
const NOT_PRODUCT =
  /\.test\.tsx?$|(^|\/)(node_modules|dist|faults|ops|sandbox|demo)\/|\/(testing|fuzz|test-\w+)[^/]*\.ts$/

async function sources(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const folder of PRODUCT) {
    for (const name of await readdir(path.join(root, folder), { recursive: true })) {
      const file = path.posix.join(folder, name.replaceAll('\\', '/'))
      if (!/\.tsx?$/.test(file) || NOT_PRODUCT.test(file)) continue
      const text = await readIfThere(path.join(root, file))
      if (text !== null) found.set(file, text)
    }
  }
  return found
}

/** Null for a file that is gone by now: the tests of the linter, which run beside these, write some and remove them. */
async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The files in which a pattern occurs outside of comments. */
async function filesWith(pattern: RegExp, within = /./): Promise<string[]> {
  const code = (text: string) => text.replaceAll(/^\s*\/\*[^]*?\*\/|(^|\s)\/\/.*/gm, '')
  const all = [...(await sources())].filter(([file]) => within.test(file))
  expect(all.length).toBeGreaterThan(5)
  return all
    .filter(([, text]) => pattern.test(code(text)))
    .map(([file]) => file)
    .toSorted()
}

test('the screens put no text into a page as HTML', async () => {
  proves('1.2.1', '3.2.2')
  const raw = /dangerouslySetInnerHTML|\.(inner|outer)HTML|insertAdjacentHTML|document\.write|createContextualFragment/
  expect(await filesWith(raw)).toEqual([])
  // The preview of a mail is the mail, in a frame that runs no script, sends no form and does not leave the page.
  expect(await filesWith(/srcDoc/)).toEqual(['web/features/digests/digest-preview.tsx'])
  const frames = [...(await sources()).values()].flatMap((text) => text.match(/<iframe[^]*?\/>/g) ?? [])
  expect(frames.map((frame) => /sandbox="([^"]*)"/.exec(frame)?.[1])).toEqual([
    'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  ])
})

/** Where a screen renders an address that is no literal path of ours, and why none of them is an address from data. */
const PATH = 'a path of ours, which the function or the list beside it begins with a literal'
const ADDRESSES: Record<string, { places: readonly string[]; because: string }> = {
  'web/ui/outside-link.tsx': {
    places: ['href={address}'],
    because: 'the one component for addresses from data: only those of web pages become links',
  },
  'web/features/accounts/settings/enrol-dialog.tsx': {
    places: ['src={qrAddress(totp.qr_code)}'],
    because: 'an image that our server made, as a data: address; an image runs no script',
  },
  'web/features/connections/tile-logo.tsx': {
    places: ['src={src}'],
    because: 'the logo of a connector, as a data: address; an image runs no script',
  },
  'web/features/insights/ungrouped/ask-part.tsx': {
    places: ['href={`#${ANCHOR}${feedback + 1}`}'],
    because: 'a place on the same page',
  },
  'web/app/guards.tsx': {
    places: [
      "to={needsSecondFactor ? '/auth?step=second-factor' : '/auth'}",
      "to={document.referrer.includes('signup') ? '/integrations' : '/insights'}",
    ],
    because: PATH,
  },
  'web/features/accounts/sign-in/auth-page.tsx': {
    places: ['to={afterSignIn()}', "to={signingUp ? '/auth' : '/auth?step=signup'}"],
    because: PATH,
  },
  'web/features/accounts/sign-in/confirmed-step.tsx': {
    places: ["to={isAuthenticated ? afterSignIn() : '/auth'}", "to={isAuthenticated ? afterSignIn() : '/auth'}"],
    because: PATH,
  },
  'web/features/insights/panel/evidence-list.tsx': {
    places: ['to={moreLike(issueNumber, mentions)}'],
    because: PATH,
  },
  'web/features/insights/reports/part-insights.tsx': { places: ['to={table}'], because: PATH },
  'web/features/insights/ungrouped/all-feedback-link.tsx': {
    places: ['to={allFeedback({ q: words })}'],
    because: PATH,
  },
  'web/features/insights/ungrouped/feedback-switch.tsx': { places: ['to={to}'], because: PATH },
  'web/features/views/view-list.tsx': { places: ['to={addressOf(view)}'], because: PATH },
  'web/ui/side-link.tsx': { places: ['to={to}'], because: PATH },
}

test('a screen renders an address from data by `OutsideLink` only', async () => {
  proves('1.2.2')
  // What begins with a slash and a letter, such as `/insights?issue=${number}`, is a path of ours, whatever follows.
  const address =
    /(?<![\w.-])(?:href|src|srcSet|formAction|xlinkHref|to)=\{(?!['"`]\/[a-z])[^]*?\}(?=[\s/]*>|\s+[\w{-])/g
  const apart = /\bhref:|createElement\(\s*['"]a['"]|window\.open\(/
  const found: Record<string, readonly string[]> = {}
  const builtApart: string[] = []
  for (const [file, text] of await sources()) {
    if (!file.startsWith('web/')) continue
    const places = text.match(address)
    if (places) found[file] = [...places]
    if (apart.test(text)) builtApart.push(file)
  }
  const expected = Object.entries(ADDRESSES).map(([file, { places }]) => [file, places])
  expect(found).toEqual(Object.fromEntries(expected))
  // Addresses that are built apart from an element: of scripts of the build, and of a file that is saved (`blob:`).
  expect(builtApart.toSorted()).toEqual(['web/route-preload.ts', 'web/ui/text/save-file.ts'])
})

test('nothing runs text as code', async () => {
  proves('1.3.2')
  expect(await filesWith(/\beval\(|new Function\(|['"]node:vm['"]|set(Timeout|Interval)\(\s*['"`]/)).toEqual([])
})

test('programs are started for the private database and the encoder only, without a shell', async () => {
  proves('1.2.5')
  const starting = await filesWith(/node:child_process/)
  expect(starting.length).toBeGreaterThan(0)
  const outside = (files: readonly string[]) => files.filter((file) => !file.startsWith('server/platform/db/embedded/'))
  expect(outside(starting)).toEqual(['server/platform/encoder/start-child.ts'])
  // That one starts a file of ours in Node, and no other program.
  expect(outside(await filesWith(/(?<![.\w])(spawn|execFile)(Sync)?\(/))).toEqual([])
  expect(await filesWith(/shell: *true|(?<![.\w])exec(Sync)?\(/, /embedded\/|platform\/encoder\//)).toEqual([])
})

test('values reach SQL as parameters: no statement of a feature is put together from text', async () => {
  proves('1.2.4')
  expect(await filesWith(/sql\.(raw|lit|literal)\(/)).toEqual([])
  // Backups name tables and columns, which they read from the catalogue; the platform names roles and channels of its own.
  const composed = await filesWith(/\.query\(\s*`[^`]*\$\{/, /^server\/(auth|features)\//)
  expect(composed.filter((file) => !file.startsWith('server/features/backup/'))).toEqual([])
})

test('secrets are not drawn from Math.random', async () => {
  proves('6.5.3')
  const guessable = await filesWith(/Math\.random/)
  expect(guessable.filter((file) => /auth|accounts|secrets|connections|http|connectors|contract/.test(file))).toEqual(
    [],
  )
})

test('hashes are SHA-256 and ciphers AES-256-GCM', async () => {
  proves('11.3.1', '11.3.2')
  expect(await filesWith(/createHash\((?!\s*'sha256')/)).toEqual([])
  // Some providers sign their events with HMAC-SHA-1 and offer nothing else. We sign with SHA-256.
  expect(await filesWith(/createHmac\((?!\s*'sha256')/)).toEqual(['connectors/kit/webhooks/verify-hmac.ts'])
  expect(await filesWith(/createHmac\((?!\s*'sha(1|256)')/)).toEqual([])
  expect(await filesWith(/create(Cipher|Decipher)iv\((?!\s*'aes-256-gcm')/)).toEqual([])
})

test('no client leaves the certificate of a server unchecked', async () => {
  expect(await filesWith(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity|allowInsecure/)).toEqual([
    'server/auth/openid/provider.ts',
  ])
})
