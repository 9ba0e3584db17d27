import { generate } from "lean-qr";
import { useMemo } from "react";

/** The quiet zone that readers need, in modules. */
const QUIET = 4;

/** A QR code, dark on light in either theme, since readers expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const bitmap = generate(text);
    const modules: string[] = [];
    for (let y = 0; y < bitmap.size; y += 1) {
      for (let x = 0; x < bitmap.size; x += 1)
        if (bitmap.get(x, y)) modules.push(`M${x + QUIET} ${y + QUIET}h1v1h-1z`);
    }
    return { size: bitmap.size + 2 * QUIET, path: modules.join("") };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="aspect-square w-full max-w-52 rounded-field"
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}
