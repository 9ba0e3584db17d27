/**
 * Calls `onLeft` once the last part of the page that held on is gone. One that is only drawn anew, as all are when the
 * language changes, lets go and takes hold again at once, and does not count as gone.
 * @returns what takes hold; what that returns lets go
 */
export function createHold(onLeft: () => void): () => () => void {
  let holders = 0;
  return () => {
    holders += 1;
    return () => {
      holders -= 1;
      queueMicrotask(() => {
        if (holders === 0) onLeft();
      });
    };
  };
}
