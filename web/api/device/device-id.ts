const STORAGE_KEY = "jornada.device";
const ID = /^[0-9a-f-]{36}$/;

/**
 * A random id of this browser, made when it is first needed, which outlives accounts: the server keeps its hash, to notice
 * who invites themselves. Null where storage is blocked.
 */
export function deviceId(): string | null {
  try {
    const known = localStorage.getItem(STORAGE_KEY);
    if (known !== null && ID.test(known)) return known;
    const fresh = crypto.randomUUID();
    localStorage.setItem(STORAGE_KEY, fresh);
    return fresh;
  } catch {
    return null;
  }
}
