import { DEVICE_HEADER } from "../../../worker/contract/headers.ts";

const KEY = "jornada.device";
const ID = /^[0-9a-f-]{36}$/;

/**
 * The header of the calls that register or pay, and of no other, as the terms promise: a random id of this browser, created for
 * the first of them. It outlives accounts: the server keeps its hash, to notice drivers who invite themselves. None if storage
 * is blocked.
 */
export function browserHeaders(): Record<string, string> {
  try {
    const known = localStorage.getItem(KEY);
    if (known !== null && ID.test(known)) return { [DEVICE_HEADER]: known };
    const fresh = crypto.randomUUID();
    localStorage.setItem(KEY, fresh);
    return { [DEVICE_HEADER]: fresh };
  } catch {
    return {};
  }
}
