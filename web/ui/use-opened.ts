import { useState } from "react";

/**
 * The sheet that is open over a screen. Closing or replacing it leaves alone one that was opened since: the answer to a form
 * that was left may come while the next one is filled in.
 */
export function useOpened<Opened extends object>() {
  const [opened, open] = useState<Opened | null>(null);
  const replace = (next: Opened | null) => open((now) => (now === opened ? next : now));
  return { opened, open, replace, close: () => replace(null) };
}
