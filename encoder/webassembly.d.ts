/** What the encoder uses of WebAssembly, which the types of Node do not declare. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer
    constructor(limits: { initial: number })
  }

  function instantiate(
    bytes: Uint8Array,
    imports: { env: { memory: Memory } },
  ): Promise<{ instance: { exports: Record<string, unknown> } }>
}
