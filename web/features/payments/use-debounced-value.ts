import { useEffect, useState } from "react";

const DELAY_MS = 150;

/** The value once it has stopped changing: what a slider passes over is not fetched. */
export function useDebouncedValue<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
