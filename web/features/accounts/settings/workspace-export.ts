import { exportWorkspace } from '@groundswell/contract/accounts/workspace-export.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatBytes } from '../../../ui/text/file-size.ts'
import { saveFile } from '../../../ui/text/save-file.ts'
import { toast } from '../../../ui/toast-store.ts'
import { download } from '../../client/index.ts'

/** An export of the whole workspace: whether it runs, how much of the file has arrived (null: nothing yet), and its start. */
export type WorkspaceExport = { busy: boolean; arrived: string | null; start: () => void }

/** Saves everything in the workspace as one file. */
export function useWorkspaceExport(): WorkspaceExport {
  const [arrived, setArrived] = useState<string | null>(null)
  const take = useMutation({
    mutationFn: async () => {
      const day = new Date().toISOString().slice(0, 10)
      const file = await download(exportWorkspace, {}, (bytes) => setArrived(formatBytes(bytes)))
      saveFile(`groundswell-workspace-${day}.jsonl.gz`, file)
    },
    onError: (error) => toast({ title: 'Export failed', description: error.message, tone: 'destructive' }),
    onSettled: () => setArrived(null),
  })
  return { busy: take.isPending, arrived, start: () => take.mutate() }
}
