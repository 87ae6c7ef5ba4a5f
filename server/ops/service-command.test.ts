import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../../docs/deployment/systemd')

test('a command for the service runs with its user, folder, settings and Node', async () => {
  const programs = await mkdtemp(path.join(tmpdir(), 'programs-'))
  try {
    const systemdRun = path.join(programs, 'systemd-run')
    await writeFile(systemdRun, '#!/bin/sh\nprintf "%s\\n" "$@"\n')
    await chmod(systemdRun, 0o755)
    const output = execFileSync(path.join(folder, 'groundswell'), ['backup', '/var/lib/groundswell/a file.gz'], {
      encoding: 'utf8',
      env: { PATH: `${programs}:/usr/bin:/bin` },
    })
    const given = output.trimEnd().split('\n')

    const unit = (await readFile(path.join(folder, 'groundswell.service'), 'utf8')).split('\n')
    const shared = unit.filter((line) => /^(?:User|WorkingDirectory|EnvironmentFile|Environment|UMask)=/.test(line))
    expect(given.filter((one) => one.startsWith('--property=')).sort()).toEqual(
      shared.map((line) => `--property=${line}`).sort(),
    )
    const [node = ''] = /(?<=^ExecStart=)\S+/.exec(unit.find((line) => line.startsWith('ExecStart=')) ?? '') ?? []
    expect(given.slice(given.indexOf(node))).toEqual([
      node,
      'server/cli.ts',
      'backup',
      '/var/lib/groundswell/a file.gz',
    ])
  } finally {
    await rm(programs, { recursive: true })
  }
})
