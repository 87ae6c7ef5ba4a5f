import { spawn } from 'node:child_process'
import path from 'node:path'

/** Runs the server and the web app and restarts them on change: the web app on port 5173, which proxies calls to the server. */
const root = path.resolve(import.meta.dirname, '..')
const port = process.env.PORT ?? '3000'
const run = (command: string, args: string[], cwd: string) =>
  spawn(path.join(root, 'node_modules', '.bin', command), args, {
    cwd,
    stdio: 'inherit',
    env: { API_PROXY: `http://127.0.0.1:${port}`, ...process.env, PORT: port },
  })

const children = [
  run(
    'node',
    [
      '--watch',
      '--watch-path=server',
      '--watch-path=connectors',
      '--watch-path=engine',
      '--watch-path=contract',
      'server/all-in-one.ts',
    ],
    root,
  ),
  run('vite', [], path.join(root, 'web')),
]
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
}
for (const child of children) {
  child.on('exit', (code) => {
    for (const other of children) other.kill('SIGTERM')
    process.exitCode = code ?? 0
  })
}
