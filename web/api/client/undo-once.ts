import { errorCodeOf, type ApiResponse } from "./request-error.ts";
import { requireOk } from "./request.ts";

/**
 * Makes a call that undoes something, which can be undone once.
 * @param mayBeDone whether the answer to an earlier try was lost: what can't be undone any more was undone by that
 */
export async function undoOnce(call: () => Promise<ApiResponse>, mayBeDone: boolean): Promise<void> {
  try {
    await requireOk(await call());
  } catch (error) {
    if (!mayBeDone || errorCodeOf(error) !== "undo_expired") throw error;
  }
}
