import * as z from "zod/mini";

/** A payment's id. Strict, since it becomes part of a path. */
export const paymentId = z.string().check(z.regex(/^[\w-]{1,64}$/));
