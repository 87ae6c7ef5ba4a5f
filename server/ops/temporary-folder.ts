import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Report } from './check.ts'

/** A folder for one check, removed with it. Other users may pass through it: servers run as one of them. */
export function temporaryFolder(report: Report): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'groundswell-ops-'))
  report.onEnd(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o711)
  return folder
}
