import { listMyWorkspaces, switchWorkspace } from '@groundswell/contract/team.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../features/client/index.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'

/** Lets a person in several workspaces choose the one to work in. The page is loaded again: nothing of the other one stays in it. */
export function WorkspaceDialog({ onClose }: { onClose: () => void }) {
  const own = useQuery({ queryKey: ['workspaces'], queryFn: () => call(listMyWorkspaces, {}), staleTime: 0 })
  const enter = useMutation({
    mutationFn: (id: string) => call(switchWorkspace, { body: { workspace_id: id } }),
    onSuccess: () => location.assign('/insights'),
  })
  const failed = own.error ?? enter.error
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Your workspaces">
      {failed ? (
        <p role="alert" className="mb-3 rounded bg-bad-soft px-3 py-2 text-bad">
          {failed.message}
        </p>
      ) : null}
      {own.isPending ? <div role="status" aria-label="Workspaces are loading" className="skeleton h-3 w-32" /> : null}
      <ul className="flex flex-col">
        {own.data?.workspaces.map(({ id, name, role, is_current: isCurrent }) => (
          <li key={id} className="flex items-center gap-3 border-b border-line py-2.5 last:border-0">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium" dir="auto">
                {name}
              </span>
              <span className="block text-small text-muted capitalize">{role}</span>
            </span>
            {isCurrent ? (
              <Badge tone="good">Here</Badge>
            ) : (
              <Button
                aria-label={`Switch to ${name}`}
                busy={enter.isPending && enter.variables === id}
                onClick={() => enter.mutate(id)}
              >
                Switch
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
