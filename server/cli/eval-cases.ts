import { writeFile } from 'node:fs/promises'
import { counted } from '@groundswell/connectors/kit/text/counted.ts'
import { recordOperator } from '../features/audit/index.ts'
import { type Case, workspaceCases, writeCases } from '../features/evaluation/index.ts'
import { withInstallation, workspaceOf } from './installation.ts'
import { pathOf, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

type CasesOptions = { workspace?: string | true; out?: string }

/** Lists the cases of a workspace without their texts, or writes them into a file. */
export async function listCases(terminal: Terminal, { workspace, out }: CasesOptions): Promise<void> {
  const cases = await casesOfWorkspace(terminal, workspace)
  if (out === undefined) {
    for (const { id, kind, messages } of cases)
      terminal.stdout.write(`${id}  ${kind.padEnd(8)}${messages.length} messages\n`)
    terminal.stdout.write(`${counted(cases.length, 'case')}\n`)
    return
  }
  const file = pathOf(terminal, out)
  await writeFile(file, writeCases(cases), { mode: 0o600 })
  terminal.stderr.write(
    'The cases repeat feedback of this workspace. The file is yours: erasure, retention and the end of the consent do not reach it.\n',
  )
  terminal.stdout.write(`${file}: ${counted(cases.length, 'case')}\n`)
}

/** The cases of a workspace; its audit log then says that they were read. Throws `UsageError` without the owner's consent. */
export function casesOfWorkspace(terminal: Terminal, workspace: string | true | undefined): Promise<Case[]> {
  return withInstallation(terminal, async (services) => {
    const workspaceId = await workspaceOf(services, workspace === true ? undefined : workspace, '--workspace')
    const cases = await workspaceCases(services, workspaceId)
    if (!cases)
      throw new UsageError(
        'The owner of this workspace has not allowed that its corrections become cases: Settings, Workspace, Corrections as test cases.',
      )
    await recordOperator(services, { action: 'cases.read', detail: { cases: cases.length }, workspaceId })
    return cases
  })
}
