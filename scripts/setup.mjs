// Prepares a checkout so that a command can run, and prints what it does. Plain JavaScript without packages: it runs under
// the machine's own Node (20 or later) before anything is installed.
//   node scripts/setup.mjs [--web] [--browser]
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const stamps = path.join(root, 'node_modules', '.groundswell')
const wants = new Set(process.argv.slice(2))
const [major] = process.versions.node.split('.').map(Number)
if (major < 20) fail(`Node ${process.versions.node} is too old: Groundswell needs Node 20 or later to start.`)

installPackages()
bundleServer()
if (wants.has('--web')) buildWeb()
if (wants.has('--browser')) installBrowser()

function installPackages() {
  const wanted = digest([path.join(root, 'package-lock.json')]) + process.platform + process.arch
  if (stamp('packages') !== wanted) {
    // Not `npm ci`: it refuses a lock file without the binaries of platforms that a registry does not carry. This command
    // follows the lock file too, and leaves it unchanged.
    run('Installing packages (a minute or two the first time)', 'npm', [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ])
    setStamp('packages', wanted)
  }
  if (runtimeVersion() < 24) {
    // npm is configured not to run install scripts: this step fetches the Node binary for this platform.
    run(
      'Installing Node 24',
      process.execPath,
      ['installArchSpecificPackage.js'],
      path.join(root, 'node_modules', 'node'),
    )
    if (runtimeVersion() < 24) fail('Node 24 could not be installed from the npm package "node".')
  }
}

function bundleServer() {
  const packages = ['client', 'contract', 'encoder', 'engine', 'connectors', 'server', 'scripts']
  const files = packages.flatMap((name) => walk(path.join(root, name))).filter((file) => !file.includes('.test.'))
  const wanted = root + digest([path.join(root, 'package-lock.json'), ...files])
  if (stamp('bundle') === wanted && existsSync(path.join(root, 'server', 'dist', 'bundle.json'))) return
  run('Bundling the server', runtime(), [path.join(root, 'scripts', 'bundle-server.ts')])
  setStamp('bundle', wanted)
}

function buildWeb() {
  const files = [
    path.join(root, 'package-lock.json'),
    ...walk(path.join(root, 'web')),
    ...walk(path.join(root, 'contract')),
  ]
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('VITE_'))
  const wanted =
    digest(files) + JSON.stringify(settings.map((setting) => setting.join('=')).sort((a, b) => (a < b ? -1 : 1)))
  if (stamp('web') === wanted && existsSync(path.join(root, 'web', 'dist', 'index.html'))) return
  run(
    'Building the web app',
    runtime(),
    [bin('vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    path.join(root, 'web'),
  )
  setStamp('web', wanted)
}

function installBrowser() {
  if (findBrowser()) return
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0']
    run('Looking up Debian packages', 'apt-get', ['update', ...quiet])
    // The same browser without a window: tests run a third faster in it. Older Debian versions do not have it.
    const [light, full] = ['chromium-headless-shell', 'chromium']
    const name = spawnSync('apt-get', ['install', '--simulate', light], { stdio: 'ignore' }).status === 0 ? light : full
    run('Installing Chromium for the browser tests', 'apt-get', ['install', '-y', ...quiet, name], root, {
      DEBIAN_FRONTEND: 'noninteractive',
    })
  }
  if (findBrowser()) return
  run('Installing Chromium for the browser tests', runtime(), [bin('playwright-core/cli.js'), 'install', 'chromium'])
}

function findBrowser() {
  const known = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
    (name) => `/usr/bin/${name}`,
  )
  if (process.env.GROUNDSWELL_BROWSER) return process.env.GROUNDSWELL_BROWSER
  const found = known.find((file) => existsSync(file))
  if (found) return found
  const ask = `import('playwright-core').then(({ chromium }) => process.stdout.write(chromium.executablePath()))`
  const answer = spawnSync(runtime(), ['-e', ask], { cwd: path.join(root, 'e2e'), encoding: 'utf8' })
  return existsSync(answer.stdout.trim()) ? answer.stdout.trim() : undefined
}

function runtime() {
  return path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
}

function runtimeVersion() {
  try {
    return Number(execFileSync(runtime(), ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0])
  } catch {
    return 0
  }
}

function bin(file) {
  return path.join(root, 'node_modules', file)
}

function walk(folder) {
  return readdirSync(folder)
    .filter((name) => name !== 'dist' && name !== 'node_modules')
    .sort()
    .flatMap((name) => {
      const file = path.join(folder, name)
      return statSync(file).isDirectory() ? walk(file) : [file]
    })
}

function digest(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

function stamp(name) {
  const file = path.join(stamps, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function setStamp(name, value) {
  mkdirSync(stamps, { recursive: true })
  writeFileSync(path.join(stamps, name), value)
}

function run(what, command, args, cwd = root, environment = {}) {
  const started = Date.now()
  process.stderr.write(`${what} …\n`)
  const ticking = process.stderr.isTTY ? 'inherit' : 'ignore'
  const result = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', ticking, 'inherit'],
    env: { ...process.env, ...environment },
    shell: process.platform === 'win32',
  })
  if (result.error) fail(`${what}: ${result.error.message}`)
  if (result.status !== 0) fail(`${what}: failed (${command} ended with ${result.status ?? result.signal}).`)
  process.stderr.write(`${what}: done in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
}

function fail(message) {
  process.stderr.write(`\n${message}\n`)
  process.exit(1)
}
