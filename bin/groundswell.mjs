#!/usr/bin/env node
// The installed command. It may be started under any Node, so it goes on under the Node 24 that the project brings.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const own = path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
const runtime = Number(process.versions.node.split('.')[0]) >= 24 || !existsSync(own) ? process.execPath : own
const child = spawn(runtime, [path.join(root, 'server', 'cli.ts'), ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  process.stderr.write(`groundswell could not start: ${error.message}\n`)
  process.exitCode = 1
})
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0)
})
