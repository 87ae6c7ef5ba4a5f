import * as z from 'zod/mini'

/**
 * How often a model errs, by questions to which the server knows the answer. `asked`: those that it answered; `wrong`: of these, wrongly. `rate`: 0 to 1, estimated as
 * if it had answered twenty more, one of them wrongly, so that a few answers do not decide.
 */
export const ErrorRate = z.object({ asked: z.int(), wrong: z.int(), rate: z.number() })
export type ErrorRate = z.infer<typeof ErrorRate>
