import { SupportChat } from '../features/support/index.ts'
import { showFrameWindow, useFrameWindow } from '../ui/frame-window.ts'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { useFrameKeys } from './commands/use-frame-keys.ts'

const CommandPalette = lazyDialog(async () => (await import('./commands/command-palette.tsx')).CommandPalette)
const KeysDialog = lazyDialog(async () => (await import('./commands/keys-dialog.tsx')).KeysDialog)
const WorkspaceDialog = lazyDialog(async () => (await import('./workspace-dialog.tsx')).WorkspaceDialog)

const close = () => showFrameWindow(null)

/** What the frame has besides the screen, after the first look: the support chat, and windows that a key or a button opens on any screen. */
export function FrameExtras() {
  const open = useFrameWindow((store) => store.open)
  useFrameKeys()
  return (
    <>
      <SupportChat />
      {open === 'commands' ? <CommandPalette onClose={close} /> : null}
      {open === 'keys' ? <KeysDialog onClose={close} /> : null}
      {open === 'workspaces' ? <WorkspaceDialog onClose={close} /> : null}
    </>
  )
}
