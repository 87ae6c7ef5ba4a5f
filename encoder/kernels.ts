import { readFile } from 'node:fs/promises'

/** The functions of `assembly/`, where they are described. Pointers are offsets in the memory. */
export type Kernels = {
  multiply(inputs: number, weights: number, sums: number, rows: number, columns: number, depth: number): void
  quantize(from: number, to: number, toScales: number, rows: number, width: number): void
  finish(sums: number, rowScales: number, scales: number, bias: number, rows: number, columns: number): void
  activate(
    sums: number,
    rowScales: number,
    scales: number,
    bias: number,
    to: number,
    toScales: number,
    rows: number,
    columns: number,
  ): void
  normalize(x: number, weight: number, bias: number, to: number, toScales: number, rows: number): void
  addTo(x: number, sums: number, rowScales: number, scales: number, bias: number, rows: number): void
  attend(qkv: number, to: number, tokens: number, space: number): void
}

/** Instantiates the kernels, which work on this memory. */
export async function loadKernels(memory: WebAssembly.Memory): Promise<Kernels> {
  const bytes = await readFile(new URL('./kernel.wasm', import.meta.url))
  const { instance } = await WebAssembly.instantiate(bytes, { env: { memory } })
  return instance.exports as unknown as Kernels
}
