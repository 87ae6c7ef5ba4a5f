/**
 * sums[rows, columns] = inputs[rows, depth] * weights, all integers: 16 bits in, 32 bits out. Rows come in fours and columns in
 * eights; the depth is a multiple of four. The weights are packed as [columns / 8][depth / 2][8][2], so that one value holds
 * two numbers of each of four columns.
 */
export function multiply(inputs: usize, weights: usize, sums: usize, rows: i32, columns: i32, depth: i32): void {
  const inputRow = (depth as usize) * 2
  const sumRow = (columns as usize) * 4
  for (let column = 0; column < columns; column += 8) {
    const panel = weights + (column as usize) * inputRow
    for (let row = 0; row < rows; row += 4) {
      let a = inputs + (row as usize) * inputRow
      let b = a + inputRow
      let c = b + inputRow
      let d = c + inputRow
      let w = panel
      let a0 = i32x4.splat(0)
      let a1 = a0
      let b0 = a0
      let b1 = a0
      let c0 = a0
      let c1 = a0
      let d0 = a0
      let d1 = a0
      for (const end = b; a < end; ) {
        let w0 = v128.load(w)
        let w1 = v128.load(w, 16)
        let x = v128.load32_splat(a)
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(x, w0))
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(b)
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(x, w0))
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(c)
        c0 = i32x4.add(c0, i32x4.dot_i16x8_s(x, w0))
        c1 = i32x4.add(c1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(d)
        d0 = i32x4.add(d0, i32x4.dot_i16x8_s(x, w0))
        d1 = i32x4.add(d1, i32x4.dot_i16x8_s(x, w1))
        w0 = v128.load(w, 32)
        w1 = v128.load(w, 48)
        x = v128.load32_splat(a, 4)
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(x, w0))
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(b, 4)
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(x, w0))
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(c, 4)
        c0 = i32x4.add(c0, i32x4.dot_i16x8_s(x, w0))
        c1 = i32x4.add(c1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(d, 4)
        d0 = i32x4.add(d0, i32x4.dot_i16x8_s(x, w0))
        d1 = i32x4.add(d1, i32x4.dot_i16x8_s(x, w1))
        a += 8
        b += 8
        c += 8
        d += 8
        w += 64
      }
      let to = sums + (row as usize) * sumRow + column * 4
      v128.store(to, a0)
      v128.store(to, a1, 16)
      to += sumRow
      v128.store(to, b0)
      v128.store(to, b1, 16)
      to += sumRow
      v128.store(to, c0)
      v128.store(to, c1, 16)
      to += sumRow
      v128.store(to, d0)
      v128.store(to, d1, 16)
    }
  }
}
