/** One picture of an animation, and how long it is shown. */
export type Frame = { webp: Buffer; durationMs: number };

const IS_ANIMATED = 0b10;
/** A frame replaces what it covers. */
const NO_BLENDING = 0b10;

/** Puts still WebP pictures of one size together, as the container's specification has it (RFC 9649). */
export function animateWebp(
  frames: readonly Frame[],
  { width, height }: { width: number; height: number },
): Buffer {
  const canvas = Buffer.alloc(10);
  canvas.writeUInt8(IS_ANIMATED, 0);
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  // Background and number of loops: any, and without end.
  const chunks = [chunk("VP8X", canvas), chunk("ANIM", Buffer.alloc(6))];
  for (const { webp, durationMs } of frames) {
    const head = Buffer.alloc(16);
    head.writeUIntLE(width - 1, 6, 3);
    head.writeUIntLE(height - 1, 9, 3);
    head.writeUIntLE(durationMs, 12, 3);
    head.writeUInt8(NO_BLENDING, 15);
    chunks.push(chunk("ANMF", Buffer.concat([head, pictureOf(webp)])));
  }
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
}

/** The chunk of a still picture that has its pixels. */
function pictureOf(webp: Buffer): Buffer {
  for (let at = 12; at < webp.length;) {
    const name = webp.toString("latin1", at, at + 4);
    const end = at + 8 + webp.readUInt32LE(at + 4);
    const padded = end + (end % 2);
    if (name === "VP8 " || name === "VP8L") return webp.subarray(at, padded);
    at = padded;
  }
  throw new Error("the picture has no pixels");
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
