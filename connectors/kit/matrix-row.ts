/**
 * What proves one case of the acceptance matrix for a connector: tests, each as `file: beginning of the name`. The file is relative to the
 * connector's folder, without `.test.ts`; the name is that of the test after those of its groups, `group > test`, so that the name of a
 * group stands for all of its tests. Empty: the conformance suite proves it alone. Or why the case does not concern the connector.
 */
export type MatrixCell = readonly string[] | { notApplicable: string }

/** The cells of a connector, by the numbers of the cases in `conformance/matrix-cases.ts`. Each connector's `matrix.ts` exports one. */
export type MatrixRow = Readonly<Record<number, MatrixCell>>

/** A case that does not concern the connector, with the reason as a sentence without its full stop. */
export const notApplicable = (reason: string): MatrixCell => ({ notApplicable: reason })
