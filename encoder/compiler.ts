import { setFlagsFromString } from 'node:v8'

/**
 * Sets up V8 for WebAssembly that is compiled from now on. With `revectorize` it joins pairs of 128-bit operations where the
 * processor has 256 bits, which saves up to half of the time of a text. That flag is experimental and exists on x64 only, so
 * the self-test decides whether its code is used.
 */
export function tuneCompiler({ revectorize }: { revectorize: boolean }): void {
  // The optimising compiler at once, for the self-test to run the code that will be used.
  setFlagsFromString('--no-liftoff')
  if (revectorize && process.arch === 'x64') setFlagsFromString('--experimental-wasm-revectorize')
}
