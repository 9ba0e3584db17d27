import { useEffect, useState } from "react";

const REST_MS = 150;

/** A value once it has rested: what a slider passes over is not asked for. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
