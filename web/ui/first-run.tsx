import type { ReactNode } from 'react'

type FirstRunProps = { commands: readonly string[]; children: ReactNode }

/** How to make the first files: the commands for a terminal on the server, and what else there is. */
export function FirstRun({ commands, children }: FirstRunProps) {
  return (
    <div className="mt-4 flex flex-col gap-3 text-left">
      <pre
        aria-label="Commands"
        tabIndex={0}
        className="overflow-x-auto rounded border border-line bg-surface px-4 py-3 font-mono text-small text-text"
      >
        {commands.join('\n')}
      </pre>
      <p>{children}</p>
    </div>
  )
}
