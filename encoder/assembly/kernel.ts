// The arithmetic of the encoder, in AssemblyScript: WebAssembly with SIMD, without relaxed operations, so that every machine
// computes the same bits. `npm run kernel -w encoder` compiles it to kernel.wasm.
//
// Every loop writes neighbouring pairs of 128-bit values, which V8's revectorizer joins to 256 bits where the processor can.
// Pointers are byte offsets, aligned to 16. Imports have no extension here: that is AssemblyScript's way to name a file.

export { attend } from './attention'
export { activate, addTo, finish } from './linear'
export { multiply } from './multiply'
export { normalize } from './normalize'
export { quantize } from './quantize'
