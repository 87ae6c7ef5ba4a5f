import { randomBytes } from 'node:crypto'
import { access, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { runCheck } from '../check.ts'
import { groundswell } from '../command.ts'
import { asOwner, contentsOf, emptyInstallation, fillInstallation, privateServer } from '../installations.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// A file that cannot be restored is refused in one sentence with exit code 2 and changes nothing; one of the first release is refused with the version to go through, and one of the last version before the baseline is restored.

const kept = (name: string) => readFile(path.join(import.meta.dirname, '../../upgrade', name))

/** The files, named by their defect. */
function broken(good: Buffer, firstRelease: Buffer): Record<string, Buffer> {
  const text = gunzipSync(good)
  const withVersion = (version: string) =>
    gzipSync(text.toString().replace(/"migration":"\d+"/, `"migration":"${version}"`))
  return {
    empty: Buffer.alloc(0),
    random: randomBytes(50_000),
    uncompressed: text,
    truncated: good.subarray(0, Math.floor(good.length * 0.6)),
    'without-its-last-lines': gzipSync(text.subarray(0, Math.floor(text.length / 2))),
    damaged: Buffer.from(good).fill(0xff, Math.floor(good.length / 2), Math.floor(good.length / 2) + 16),
    newer: withVersion('999999'),
    'of-no-version': withVersion('0'),
    'of-the-first-release': gzipSync(firstRelease),
  }
}

await runCheck('bad-backups', async (report) => {
  const folder = temporaryFolder(report)
  const ownerUrl = await privateServer(report, path.join(folder, 'server'))
  const source = await emptyInstallation(ownerUrl, 'source')
  await fillInstallation(source, { items: 4_000, textBytes: 450 })
  const file = path.join(folder, 'good.gz')
  await groundswell(['backup', file], { DATABASE_URL: source, GROUNDSWELL_DATA: folder })
  const files = broken(await readFile(file), await kept('first-release.jsonl'))
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(path.join(folder, `${name}.gz`), bytes)
  }

  const target = await emptyInstallation(ownerUrl, 'target')
  const env = { DATABASE_URL: target, GROUNDSWELL_DATA: path.join(folder, 'to') }
  const refuse = async (what: string, args: string[]) => {
    const { code, output } = await groundswell(args, env)
    const isOneSentence = !output.includes('\n') && /^[A-Z/].*\.$/.test(output)
    report.require(
      code === 2 && isOneSentence,
      `${what} is refused in one sentence with exit code 2 (${code}: ${output})`,
    )
  }
  for (const name of ['missing', ...Object.keys(files)]) {
    await refuse(`a backup that is ${name}`, ['restore', path.join(folder, `${name}.gz`)])
  }
  await refuse('a folder in place of a backup', ['restore', folder])
  await refuse('a backup into a missing folder', ['backup', path.join(folder, 'nowhere', 'b.gz')])
  await access(path.join(folder, 'nowhere')).then(
    () => report.require(false, 'the missing folder is still missing'),
    () => undefined,
  )
  const [left] = await asOwner<{ rows: string }>(
    target,
    'select (select count(*) from account) + (select count(*) from workspace) + (select count(*) from feedback_item) as rows',
  )
  report.require(left?.rows === '0', 'nothing was restored from any of them')

  const old = path.join(folder, 'old.gz')
  await writeFile(old, gzipSync(await kept('release-candidate.jsonl')))
  const restored = await groundswell(['restore', old], env)
  report.require(
    restored.code === 0,
    `a backup of the last version before the baseline is restored (${restored.output})`,
  )
  const { code } = await groundswell(['restore', file], env)
  report.require(code === 2, 'an installation with accounts is not overwritten')
  report.figure(`${Object.keys(files).length + 3} kinds of bad files and folders`)
  report.require((await contentsOf(target)).startsWith('10 '), 'its messages are there')
})
