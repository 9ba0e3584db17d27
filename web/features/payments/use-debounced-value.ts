import { useEffect, useState } from "react";

const DELAY_MS = 150;

/** A value once it has rested: what a slider passes over is not asked for. */
export function useDebouncedValue<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
