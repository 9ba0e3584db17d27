/**
 * Calls `onLeft` once the last part of the page that held on is gone. One that is only drawn anew, as all are when the
 * language changes, lets go and takes hold again at once, and does not count as gone.
 * @returns what takes hold; what that returns lets go
 */
export function createRefCount(onReleased: () => void): () => () => void {
  let count = 0;
  return () => {
    count += 1;
    return () => {
      count -= 1;
      queueMicrotask(() => {
        if (count === 0) onReleased();
      });
    };
  };
}
